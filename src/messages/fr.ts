import type { Verdict } from '../check.ts';
import { seconds, wholeMilliseconds, type Counts, type Messages } from './messages.ts';
import { isOneInFrench } from './number.ts';
import { waitingMessages } from './waiting-fr.ts';

const counted = (count: number, one: string, many: string): string => `${count} ${isOneInFrench(count) ? one : many}`;
const checks = (count: number): string => counted(count, 'vérification', 'vérifications');
const didYouMean = (nearest: string | null): string => (nearest === null ? '' : ` Vouliez-vous dire ${nearest} ?`);
const total = (counts: Counts): number => counts.pass + counts.warn + counts.fail + counts.skip + counts.unknown;

/** Degraded by nothing but warnings. */
const isStrict = (verdict: Verdict, counts: Counts): boolean => verdict === 'degraded' && counts.fail === 0;

function outcome(verdict: Verdict, counts: Counts): string {
  const of = `sur ${total(counts)}`;
  if (counts.fail > 0) return `${checks(counts.fail)} ${of} en échec`;
  if (isStrict(verdict, counts)) {
    return `${checks(counts.warn)} ${of} avec avertissement, ce que le mode strict ne permet pas`;
  }
  if (verdict === 'unknown') return `${checks(counts.unknown)} ${of} sans résultat`;
  const passed = counts.pass + counts.warn;
  return `${checks(passed)} ${isOneInFrench(passed) ? 'réussie' : 'réussies'}`;
}

/** What of `--version-from` is wrong. */
const VERSION_FROM = {
  path: 'n’est pas le chemin d’un fichier du site',
  'path-outside': 'mène hors du site',
  pointer: 'le JSON Pointer n’est pas valide (RFC 6901)',
  regex: 'l’expression régulière n’est pas valide',
} as const;

export const messages: Messages = {
  statuses: { pass: 'réussi', warn: 'alerte', fail: 'échec', skip: 'omis', unknown: 'indéterminé' },
  verdicts: { healthy: 'sain', degraded: 'dégradé', down: 'hors service', stale: 'périmé', unknown: 'indéterminé' },
  waiting: waitingMessages,
  fix: 'Correction :',
  explain: {
    severity: 'Gravité :',
    reportedBy: 'Signalée par :',
    happened: 'Ce qui s’est passé',
    matters: 'Pourquoi c’est important',
    fix: 'Correctif',
    verify: 'Vérifier',
    turnOff: 'Désactiver la règle',
    notRated: 'Cette règle ne signale aucun défaut du site : elle ne peut pas être désactivée.',
    rules: 'Règles',
  },
  documentedAction: 'Action documentée :',
  summary(verdict, counts, durationMs) {
    // Where none failed, that is what the outcome says.
    const unknown = counts.fail === 0 || counts.unknown === 0 ? '' : `, ${counts.unknown} sans résultat`;
    const warnings =
      counts.warn === 0 || isStrict(verdict, counts)
        ? ''
        : `, ${counted(counts.warn, 'avec avertissement', 'avec avertissements')}`;
    const skipped = counts.skip === 0 ? '' : `, ${counted(counts.skip, 'omise', 'omises')}`;
    return `${outcome(verdict, counts)}${unknown}${warnings}${skipped} (${seconds(durationMs, 'fr')})`;
  },
  verdictLine: (verdict, summary) => `${verdict} : ${summary}`,
  sameFix: (finding) => `la même que pour ${finding}, ci-dessus.`,
  more: (count) => `… et ${count} de plus (--verbose ou --format json les montre tous).`,
  moreInLog: (count) => `… et ${count} de plus : voyez le journal de cette étape.`,
  leftOutOfSarif: (count) =>
    `Constats laissés de côté pour que l’analyse de code accepte le fichier : ${count}. Le rapport JSON les contient tous.`,
  onlyCounted: (count) => `Autres constats du même genre, qui sont seulement comptés : ${count}.`,
  standardOutput: 'la sortie standard',
  sameCause: (count) => `Une seule cause pour ${count} vérifications :`,
  interrupted: () => 'Arrêté avant la fin ; voici ce que l’on sait jusqu’ici.',
  serving: (folder, host, url) =>
    `${folder} est servi selon les règles du type d’hébergement ${host} à l’adresse ${url} (Ctrl-C y met fin)`,
  missingInFolder: (folder, files) =>
    `${folder} n’est pas un site complet. Fichiers manquants : ${files}. Les requêtes vers ces fichiers reçoivent 404 tant qu’ils n’existent pas.`,
  checkPreview: (command) => `Pour le vérifier : ${command}`,
  progress: (waiting, elapsedMs) => `en attente de ${waiting.join(', ')} (${seconds(elapsedMs, 'fr')})`,
  milliseconds: (ms) => wholeMilliseconds(ms, 'fr'),
  goodConfiguration: (file) => `${file} est en ordre.`,
  urlNotWatched: () => 'Le moniteur ne surveille pas url : il surveille ce que sites énumère.',
  noConfiguration: () => 'Il n’y a pas de configuration ici ; les valeurs par défaut s’appliquent.',
  cannotWrite: (target, reason) => `impossible d’écrire ${target} : ${reason}`,
  internalError: (detail) => `erreur interne ; merci de la signaler avec la commande exécutée : ${detail}`,
  unknownOption: (option, nearest) => `option inconnue : ${option}.${didYouMean(nearest)}`,
  unknownCommand: (command, nearest) => `commande inconnue : ${command}.${didYouMean(nearest)}`,
  missingArgument: (name) => `l’argument <${name}> manque.`,
  missingOption: (option) => `il manque ${option}.`,
  missingValue: (option) => `${option} attend une valeur.`,
  emptyValue: (option) => `${option} est vide. Une variable n’a peut-être pas été définie ?`,
  needsOption: (option, needed) => `${option} n’a de sens qu’avec ${needed}.`,
  badVersion: (option, given) =>
    `${option} : ${given} n’est pas le nom d’une version, par exemple un commit (3f2a91c) ou 1.4.0.`,
  badVersionFrom: (option, given, problem) =>
    `${option} : ${given} : ${VERSION_FROM[problem]}. Écrivez par exemple version.json#/commit, build.txt ou app.txt#rev: (\\w+).`,
  badSince: (option, given) =>
    `${option} : ${given} n’est ni un ETag, ni une date (2026-03-01T12:00:00Z, en secondes depuis 1970, ou comme dans Last-Modified), ni le mot now.`,
  badMoment: (option, given) =>
    `${option} : ${given} ne dit ni depuis combien de temps (24h, 7d), ni une date (2026-03-01T12:00:00Z).`,
  emptyTime: (since, until) => `${since} n’est pas avant ${until} : il n’y a aucun temps entre les deux.`,
  noValue: (option) => `${option} ne prend pas de valeur.`,
  reservedHeader: (name) => `--header : ${name} est défini par le client HTTP lui-même et ne peut pas être changé.`,
  excessArguments: () => 'trop d’arguments. Mettez entre guillemets ce qui va ensemble.',
  badDuration: (option, given) =>
    `${option} : ${given} n’est pas une durée. Écrivez un nombre et une unité, par exemple 500ms, 10s, 2m.`,
  durationTooLong: (option, given, most) => `${option} : ${given} est trop long. Au plus ${most}.`,
  durationTooShort: (option, given, least) => `${option} : ${given} est trop court. Au moins ${least}.`,
  badCount: (option, given, least, most) => `${option} : ${given} n’est pas un nombre entier de ${least} à ${most}.`,
  badRate: (given) => `--rate : ${given} n’est pas un nombre de requêtes par seconde, comme 10 ou 0.5.`,
  unknownHost: (given, known) => `--host : type d’hébergement inconnu ${given}. Connus : ${known}.`,
  unknownHostKind: (given, known) => `type d’hébergement inconnu ${given}. Connus : ${known}.`,
  badBase: (given) => `--base : ${given} n’est pas un chemin de noms simples, comme /docs/.`,
  fileExists: (file) => `${file} existe déjà. --force l’écrase.`,
  foreignFile: (folder, file) =>
    `${folder} contient ${file}, qu’aucun export n’a écrit. Choisissez un dossier à part, ou --force pour y écrire quand même.`,
  proposedAddress: () =>
    '--header\u00a0: la configuration n’est peut-être que proposée, et les en-têtes iraient à l’adresse qu’elle nomme. Donnez l’adresse avec les en-têtes, et retirez `resolve` de la configuration.',
  notAFolder: (given) => `${given} n’est pas un dossier.`,
  portTaken: (port) => `--port : ${port} est déjà pris. Choisissez-en un autre, ou 0 pour n’importe quel port libre.`,
  cannotListen: (port, detail) => `--port : ${port} ne peut pas être utilisé (${detail}). Choisissez-en un autre.`,
  badListen: (option, given) =>
    `${option} : ${given} n’est pas un hôte suivi d’un port. Écrivez par exemple 127.0.0.1:9464, [::1]:9464 ou 0.0.0.0:9464.`,
  addressTaken: (address) =>
    `${address} est déjà prise : un autre programme y écoute. Choisissez un autre port avec --listen.`,
  cannotListenAt: (address, detail) =>
    `impossible d’écouter sur ${address} (${detail}). Choisissez une autre adresse avec --listen.`,
  nothingToWatch: () =>
    'la configuration ne nomme aucun site à surveiller. Ajoutez à docvitals.yaml « url: https://docs.example.com/ », ou une liste « sites: » où chacun a un id et une url.',
  badSource: (given, detail) =>
    `--source : ${given} n’est ni un dossier, ni une référence Git, ni un manifeste lisible (${detail}). Écrivez par exemple docs, HEAD:docs ou manifest.json.`,
  crawling: (done, known) => `${done} fichiers sur ${known}`,
  badRepository: (option, given) =>
    `${option} : ${given} n’est ni un dossier ni l’adresse d’un dépôt Git, comme https://github.com/acme/docs.git.`,
  noSource: () =>
    '--only source : dites d’où le site est déployé : --source docs, --source HEAD:docs ou --source manifest.json.',
  noVersion: () =>
    '--only deployed-version : dites quelle version doit être en ligne : --expect-version 3f2a91c, ou --since avec un ETag, une date ou now.',
  unreadable: (file, detail) => `impossible de lire ${file} : ${detail}.`,
  badHeader: () => '--header : la forme attendue est « Nom: valeur ».',
  badResolve: (given) =>
    `--resolve : ${given} n’a pas la forme hôte:port:adresse, par exemple docs.example.com:443:192.0.2.7.`,
  badReport: (given) => `--report : ${given} n’a pas la forme format=fichier, par exemple json=rapport.json.`,
  reportIsConfiguration: (file) => `--report : ${file} est le nom du fichier de configuration. Choisissez-en un autre.`,
  sameReport: (one, other) => `--report : ${one} et ${other} sont le même fichier. Donnez à chaque rapport le sien.`,
  noReportFolder: (file, folder) => `--report : impossible d’écrire ${file}, car le dossier ${folder} n’existe pas.`,
  reportIsFolder: (file) => `--report : ${file} est un dossier. Indiquez un fichier de ce dossier.`,
  unwritableReport: (file, reason) => `--report : impossible d’écrire ${file} (${reason}).`,
  unknownFormat: (option, given, known, nearest) =>
    `${option} : format inconnu : ${given}.${didYouMean(nearest)} Formats connus : ${known}.`,
  unknownValue: (option, given, known, nearest) =>
    `${option} : valeur inconnue : ${given}.${didYouMean(nearest)} Valeurs connues : ${known}.`,
  unknownLanguage: (given, known) => `--lang : langue inconnue : ${given}. Langues connues : ${known}.`,
  unknownCheck: (option, given, known, nearest) =>
    `${option} : vérification inconnue : ${given}.${didYouMean(nearest)} Vérifications connues : ${known}.`,
  unknownSite: (option, given, known, nearest) =>
    known === ''
      ? `${option} : la configuration n’a pas de site ${given} : elle n’en énumère aucun.`
      : `${option} : la configuration n’a pas de site ${given}.${didYouMean(nearest)} Sites connus : ${known}.`,
  unknownRoute: (given, known, nearest) =>
    known === ''
      ? `alert : la configuration n’a pas de route d’alerte ${given} : elle n’en énumère aucune sous alerts.`
      : `alert : la configuration n’a pas de route d’alerte ${given}.${didYouMean(nearest)} Routes connues : ${known}.`,
  noSiteChosen: (known) =>
    `pas d’URL de base. Donnez-en une, ou choisissez un site de la configuration avec --site. Sites connus : ${known}.`,
  unknownCode: (check, given, known, nearest) =>
    `${check} n’a pas de constat ${given}.${nearest === null ? ` Ses constats : ${known}.` : didYouMean(nearest)}`,
  unknownExample: (given, known, nearest) =>
    `exemple inconnu : ${given}.${didYouMean(nearest)} Exemples connus : ${known}.`,
  unknownShell: (given, known, nearest) => `shell inconnu : ${given}.${didYouMean(nearest)} Shells connus : ${known}.`,
  noChecksLeft: () => '--only et --skip ne laissent aucune vérification à exécuter.',
  exclusive: (one, other) => `${one} et ${other} s’excluent mutuellement.`,
  badProxy: (variable) => `la variable d’environnement ${variable} ne contient pas d’URL de proxy http ou https.`,
  noUrl: () =>
    'pas d’URL de base. Donnez-en une (docvitals check https://docs.example.com/) ou renseignez url dans docvitals.yaml.',
  secretInUrl: (option) =>
    `${option} : laissez de côté le nom d’utilisateur et le mot de passe ; le fichier sera versionné. Envoyez-les par des en-têtes.`,
  nobodyToAsk: (options) =>
    `il n’y a pas de terminal où poser des questions. Donnez ${options}, ou --yes pour prendre ce qui a été trouvé.`,
  noSiteUrl: () => 'l’adresse du site n’a pas été trouvée ici. Donnez-la : --url https://docs.example.com/.',
  outsideFolder: (option, given) => `${option} : ${given} n’est pas dans le dossier à préparer.`,
  hostingNeedsHost: () =>
    '--hosting : le type d’hébergement n’est pas connu. Donnez-le aussi : --host server, platform ou worker.',
  hostingBase: (path) =>
    `--hosting : aucune configuration ne peut être faite pour le chemin ${path} ; seuls des noms simples y sont permis.`,
  unknownWorkflow: (given, known, nearest) =>
    `--workflow : workflow inconnu : ${given}.${didYouMean(nearest)} Workflows connus : ${known}.`,
  unknownAction: (command, given, known, nearest) =>
    `${command} : action inconnue : ${given}.${didYouMean(nearest)} Actions connues : ${known}.`,
  unknownConfigAction: (given, known, nearest) =>
    `config : action inconnue : ${given}.${didYouMean(nearest)} Actions connues : ${known}.`,
  baseUrl(problem, given) {
    if (problem === 'file') {
      return `${given} : un site de documentation ne fonctionne pas en file:, car le navigateur bloque les requêtes du moteur. Servez le dossier en HTTP et vérifiez cette adresse.`;
    }
    if (problem === 'scheme') return `${given} : seules les adresses http et https peuvent être vérifiées.`;
    if (problem === 'no-scheme') return `${given} : le schéma manque. Vouliez-vous dire https://${given} ?`;
    if (problem === 'no-host') return `${given} : l’hôte manque. Écrivez l’adresse comme https://docs.example.com/.`;
    return `${given} n’est pas une adresse web. Écrivez-la comme https://docs.example.com/.`;
  },
  seeHelp: (command) => `Voir ${command} --help.`,
};
