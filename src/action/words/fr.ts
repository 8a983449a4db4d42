import type { ActionWords } from './words.ts';

const NOUNS = { comment: 'le commentaire', issue: 'le ticket' } as const;

export const words: ActionWords = {
  notOnGitHub: () =>
    'ceci est l’action GitHub, et elle ne tourne pas dans un workflow ici. Utilisez la commande\u00a0: npx docvitals check https://docs.example.com/',
  badBoolean: (input, given) => `${input}\u00a0: ${given} n’est ni true ni false.`,
  badChoice: (input, given, known) => `${input}\u00a0: valeur inconnue ${given}. Connues\u00a0: ${known}.`,
  badLabel: (given) =>
    `issue\u00a0: ${given} n’est pas une étiquette. Écrivez true, ou une étiquette de 50 caractères au plus, sans virgule.`,
  noUrl: () => 'url\u00a0: aucune adresse donnée. Écrivez où se trouve le site, par exemple https://docs.example.com/.',
  noEnvironmentUrl: () =>
    'url\u00a0: aucune adresse donnée, et le déploiement ne dit pas où on peut le voir (environment_url). Écrivez où se trouve le site.',
  severalLines: (input) => `${input}\u00a0: plusieurs lignes sont données, une seule adresse est attendue.`,
  repeatedHeader: (name) => `headers\u00a0: ${name} est donné plusieurs fois. Écrivez chaque en-tête une seule fois.`,
  notCheckedOut: (input, given) =>
    `${input}\u00a0: ${given} n’existe pas, car l’espace de travail est vide. Récupérez d’abord le dépôt, avec actions/checkout dans une étape qui précède celle-ci.`,
  configIsProgram: (file) =>
    `config\u00a0: ${file} est un programme, et cet événement concerne un commit que quelqu’un n’a peut-être que proposé. Écrivez \`config: ${file}\` pour l’exécuter quand même, ou utilisez docvitals.yaml.`,
  notDeployed: (state) =>
    state === ''
      ? 'L’événement ne dit pas que le déploiement a réussi\u00a0: il n’y a encore rien à vérifier.'
      : `Le déploiement est à l’état ${state}, et non success\u00a0: il n’y a encore rien à vérifier.`,
  reportsIn: (folder) => `Rapports\u00a0: ${folder}`,
  couldNotTell: () => 'docvitals n’a pas pu savoir si le site va bien.',
  versionUntold: () =>
    'wait\u00a0: rien sur le site ne dit quelle version est en ligne, il a donc suffi que le site soit sain. Donnez `source`, ou publiez `version.json`.',
  noPullRequest: () =>
    'comment\u00a0: il n’y a pas de pull request pour cette exécution, aucun commentaire n’a donc été écrit.',
  noToken: (input) => `${input}\u00a0: github-token manque, rien n’a donc été écrit sur GitHub.`,
  refused(what, problem, permission, detail) {
    const lead = `${what}\u00a0: GitHub n’a pas accepté ${NOUNS[what]} (${detail}).`;
    if (problem === 'forbidden' || problem === 'not-found')
      return `${lead} Donnez au job la permission qu’il lui faut\u00a0: \`permissions: { ${permission} }\`. Une pull request venant d’un fork ou de Dependabot a un jeton qui ne peut que lire.`;
    if (problem === 'unauthorized') return `${lead} Le github-token n’est pas valide.`;
    if (problem === 'rate-limited')
      return `${lead} Trop de requêtes ont été faites avec ce jeton. La prochaine exécution réessaiera.`;
    if (problem === 'invalid' || problem === 'redirected' || problem === 'gone') return lead;
    return `${lead} La prochaine exécution réessaiera.`;
  },
  issuesOff: () => 'issue\u00a0: les tickets (issues) sont désactivés dans ce dépôt.',
  issueLeft: (issue) =>
    `Le ticket #${issue} a été fermé comme non prévu (not planned), il reste donc tel quel jusqu’au rétablissement du site.`,
  workflowRun: 'Exécution du workflow',
  issueTitle(site, verdict) {
    if (verdict === 'down') return `${site} est hors service`;
    if (verdict === 'stale') return `${site} est en ligne dans une ancienne version`;
    return `${site} fonctionne mal`;
  },
  issueIntroduction: 'docvitals tient ce ticket à jour et le ferme quand le site va de nouveau bien.',
  issueChanged(added, gone) {
    const lines = [
      ...(added.length === 0 ? [] : [`Nouveau\u00a0: ${added.join(', ')}`]),
      ...(gone.length === 0 ? [] : [`Disparu\u00a0: ${gone.join(', ')}`]),
    ];
    return lines.join('\n\n');
  },
  issueReopened:
    'Le site ne va toujours pas bien, le ticket est donc rouvert. Fermez-le comme non prévu (not planned) pour qu’il reste fermé.',
  issueRecovered: () => 'Le site va de nouveau bien.',
};
