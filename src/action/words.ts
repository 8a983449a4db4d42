import type { Verdict } from '../check.ts';
import type { RestProblem } from '../github/rest.ts';
import type { Language } from '../texts.ts';

/** Mistakes in what a workflow gives the Action. All strings are already printable. */
export interface InputWords {
  notOnGitHub(): string;
  badBoolean(input: string, given: string): string;
  badChoice(input: string, given: string, known: string): string;
  badLabel(given: string): string;
  noUrl(): string;
  /** A deployment was announced without the address that it can be seen at. */
  noEnvironmentUrl(): string;
  /** One value is wanted, and there are several lines. */
  severalLines(input: string): string;
  /** A request header that is given twice; its values are secret. */
  repeatedHeader(name: string): string;
  /** An input names a file or folder of the workspace, which is empty. */
  notCheckedOut(input: string, given: string): string;
  /** The configuration that was found is a program, in what somebody proposes. */
  configIsProgram(file: string): string;
}

/** What the Action says that no other part of docvitals does. Markdown where it goes to GitHub's pages. */
export interface ActionWords extends InputWords {
  /** `state`: of the deployment, as GitHub names it; empty: the event does not tell. */
  notDeployed(state: string): string;
  /** Where the report files are. */
  reportsIn(folder: string): string;
  /** The run could not be completed, which `fail-on` does not let pass. */
  couldNotTell(): string;
  /** A new version was waited for, and the site does not tell which one is live. */
  versionUntold(): string;
  noPullRequest(): string;
  /** `input`: what needs it. */
  noToken(input: string): string;
  /** What was not done; `permission`: what the job has to be given, where that would help. */
  refused(what: 'comment' | 'issue', problem: RestProblem, permission: string, detail: string): string;
  issuesOff(): string;
  /** An issue that somebody closed as not planned. */
  issueLeft(issue: number): string;
  /** Names the run of the workflow, as the text of a link. */
  readonly workflowRun: string;
  issueTitle(site: string, verdict: Verdict): string;
  readonly issueIntroduction: string;
  issueChanged(added: readonly string[], gone: readonly string[]): string;
  readonly issueReopened: string;
  issueRecovered(): string;
}

const NOUNS_EN = { comment: 'the comment', issue: 'the issue' } as const;

const en: ActionWords = {
  notOnGitHub: () =>
    'this is the GitHub Action, and it does not run in a workflow here. Use the command instead: npx docvitals check https://docs.example.com/',
  badBoolean: (input, given) => `${input}: ${given} is neither true nor false.`,
  badChoice: (input, given, known) => `${input}: unknown value ${given}. Known: ${known}.`,
  badLabel: (given) =>
    `issue: ${given} is no label. Write true, or one label of at most 50 characters without a comma.`,
  noUrl: () => 'url: no address given. Write where the site is, such as https://docs.example.com/.',
  noEnvironmentUrl: () =>
    'url: no address given, and the deployment does not say where it can be seen (environment_url). Write where the site is.',
  severalLines: (input) => `${input}: several lines are given, and one address is wanted.`,
  repeatedHeader: (name) => `headers: ${name} is given more than once. Write each header once.`,
  notCheckedOut: (input, given) =>
    `${input}: ${given} is not there, because the workspace is empty. Check the repository out first, with actions/checkout in a step before this one.`,
  configIsProgram: (file) =>
    `config: ${file} is a program, and this event is about a commit that somebody may only have proposed. Write \`config: ${file}\` to run it all the same, or use docvitals.yaml.`,
  notDeployed: (state) =>
    state === ''
      ? 'The event does not say that the deployment has succeeded: there is nothing to check yet.'
      : `The deployment is at ${state}, not at success: there is nothing to check yet.`,
  reportsIn: (folder) => `Reports: ${folder}`,
  couldNotTell: () => 'docvitals could not determine whether the site is healthy.',
  versionUntold: () =>
    'wait: nothing on the site tells which version is live, so it was enough that the site is healthy. Give `source`, or publish `version.json`.',
  noPullRequest: () => 'comment: there is no pull request for this run, so no comment was written.',
  noToken: (input) => `${input}: there is no github-token, so nothing was written to GitHub.`,
  refused(what, problem, permission, detail) {
    const lead = `${what}: GitHub did not take ${NOUNS_EN[what]} (${detail}).`;
    if (problem === 'forbidden' || problem === 'not-found')
      return `${lead} Give the job the permission it needs: \`permissions: { ${permission} }\`. Pull requests from forks and Dependabot have a token that may only read.`;
    if (problem === 'unauthorized') return `${lead} The github-token is not valid.`;
    if (problem === 'rate-limited')
      return `${lead} Too many requests were made with this token. The next run tries again.`;
    if (problem === 'invalid' || problem === 'redirected' || problem === 'gone') return lead;
    return `${lead} The next run tries again.`;
  },
  issuesOff: () => 'issue: issues are turned off in this repository.',
  issueLeft: (issue) =>
    `Issue #${issue} was closed as not planned, so it is left as it is until the site has recovered.`,
  workflowRun: 'Workflow run',
  issueTitle(site, verdict) {
    if (verdict === 'down') return `${site} is down`;
    if (verdict === 'stale') return `${site} is live in an old version`;
    return `${site} is degraded`;
  },
  issueIntroduction: 'docvitals keeps this issue up to date, and closes it when the site is healthy again.',
  issueChanged(added, gone) {
    const lines = [
      ...(added.length === 0 ? [] : [`New: ${added.join(', ')}`]),
      ...(gone.length === 0 ? [] : [`No longer: ${gone.join(', ')}`]),
    ];
    return lines.join('\n\n');
  },
  issueReopened: 'The site is still not well, so this is open again. Close it as not planned to be left alone.',
  issueRecovered: () => 'The site is healthy again.',
};

const NOUNS_RO = { comment: 'comentariul', issue: 'tichetul' } as const;

const ro: ActionWords = {
  notOnGitHub: () =>
    'aceasta este acțiunea GitHub, iar aici nu rulează într-un flux de lucru. Folosiți comanda: npx docvitals check https://docs.example.com/',
  badBoolean: (input, given) => `${input}: ${given} nu este nici true, nici false.`,
  badChoice: (input, given, known) => `${input}: valoare necunoscută ${given}. Cunoscute: ${known}.`,
  badLabel: (given) =>
    `issue: ${given} nu este o etichetă. Scrieți true sau o etichetă de cel mult 50 de caractere, fără virgulă.`,
  noUrl: () => 'url: nu este dată nicio adresă. Scrieți unde este site-ul, de exemplu https://docs.example.com/.',
  noEnvironmentUrl: () =>
    'url: nu este dată nicio adresă, iar publicarea nu spune unde poate fi văzută (environment_url). Scrieți unde este site-ul.',
  severalLines: (input) => `${input}: sunt date mai multe rânduri, dar se așteaptă o singură adresă.`,
  repeatedHeader: (name) => `headers: ${name} este dat de mai multe ori. Scrieți fiecare antet o singură dată.`,
  notCheckedOut: (input, given) =>
    `${input}: ${given} nu există, pentru că spațiul de lucru este gol. Aduceți mai întâi depozitul, cu actions/checkout într-un pas dinaintea acestuia.`,
  configIsProgram: (file) =>
    `config: ${file} este un program, iar acest eveniment privește un commit pe care poate cineva doar l-a propus. Scrieți \`config: ${file}\` dacă totuși trebuie rulat, sau folosiți docvitals.yaml.`,
  notDeployed: (state) =>
    state === ''
      ? 'Evenimentul nu spune că publicarea a reușit: încă nu este nimic de verificat.'
      : `Publicarea este în starea ${state}, nu success: încă nu este nimic de verificat.`,
  reportsIn: (folder) => `Rapoarte: ${folder}`,
  couldNotTell: () => 'docvitals nu a putut afla dacă site-ul este în regulă.',
  versionUntold: () =>
    'wait: nimic de pe site nu spune care versiune este publicată, așa că a fost de ajuns ca site-ul să fie sănătos. Dați `source` sau publicați `version.json`.',
  noPullRequest: () =>
    'comment: pentru această rulare nu există niciun pull request, așa că nu s-a scris niciun comentariu.',
  noToken: (input) => `${input}: lipsește github-token, așa că nu s-a scris nimic pe GitHub.`,
  refused(what, problem, permission, detail) {
    const lead = `${what}: GitHub nu a primit ${NOUNS_RO[what]} (${detail}).`;
    if (problem === 'forbidden' || problem === 'not-found')
      return `${lead} Dați jobului permisiunea de care are nevoie: \`permissions: { ${permission} }\`. Un pull request dintr-un fork sau de la Dependabot are un token care poate doar citi.`;
    if (problem === 'unauthorized') return `${lead} github-token nu este valid.`;
    if (problem === 'rate-limited')
      return `${lead} S-au făcut prea multe cereri cu acest token. Următoarea rulare încearcă din nou.`;
    if (problem === 'invalid' || problem === 'redirected' || problem === 'gone') return lead;
    return `${lead} Următoarea rulare încearcă din nou.`;
  },
  issuesOff: () => 'issue: tichetele (issues) sunt dezactivate în acest depozit.',
  issueLeft: (issue) =>
    `Tichetul #${issue} a fost închis ca neplanificat (not planned), așa că rămâne cum este până când site-ul își revine.`,
  workflowRun: 'Rularea fluxului de lucru',
  issueTitle(site, verdict) {
    if (verdict === 'down') return `${site} nu funcționează`;
    if (verdict === 'stale') return `${site} este publicat într-o versiune veche`;
    return `${site} funcționează cu probleme`;
  },
  issueIntroduction: 'docvitals ține acest tichet la zi și îl închide când site-ul este din nou în regulă.',
  issueChanged(added, gone) {
    const lines = [
      ...(added.length === 0 ? [] : [`Noi: ${added.join(', ')}`]),
      ...(gone.length === 0 ? [] : [`Nu mai sunt: ${gone.join(', ')}`]),
    ];
    return lines.join('\n\n');
  },
  issueReopened:
    'Site-ul tot nu este în regulă, așa că tichetul este din nou deschis. Închideți-l ca neplanificat (not planned) dacă doriți să rămână închis.',
  issueRecovered: () => 'Site-ul este din nou în regulă.',
};

const NOUNS_FR = { comment: 'le commentaire', issue: 'le ticket' } as const;

const fr: ActionWords = {
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
    const lead = `${what}\u00a0: GitHub n’a pas accepté ${NOUNS_FR[what]} (${detail}).`;
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

const WORDS: Readonly<Record<Language, ActionWords>> = { en, ro, fr };

/** The words of one language. */
export function actionWords(language: Language): ActionWords {
  return WORDS[language];
}
