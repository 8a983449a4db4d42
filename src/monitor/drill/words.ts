import type { Language } from '../../texts.ts';
import type { FailureReason, StepId } from './result.ts';

/** The words of `docvitals drill`. All arguments are printable; times have their unit. */
export interface DrillWords {
  readonly language: Language;
  /** `commit`: an abbreviated hash. */
  title(source: string, commit: string | null): string;
  /** The site's folder in the clone, and the address of the checks. */
  location(site: string | null, url: string): string;
  readonly steps: Readonly<Record<StepId, string>>;
  readonly total: string;
  /** Names of the steps while they run. */
  readonly progress: Readonly<Record<StepId, string>>;
  /** `verdict`: `met` or `missed`, perhaps coloured. */
  recovered(total: string, objective: string, verdict: string): string;
  notRecovered(total: string, objective: string, verdict: string): string;
  /** This machine failed, or somebody stopped the drill. */
  unknown(total: string): string;
  readonly met: string;
  readonly missed: string;
  readonly failures: Readonly<Record<FailureReason, string>>;
  /** `null`: the report of the checks has the fixes. */
  readonly fixes: Readonly<Record<Exclude<FailureReason, 'not-healthy'>, string>> & { readonly 'not-healthy': null };
  readonly notes: {
    uncommitted(count: number): string;
    readonly submodules: string;
    readonly 'answered-before': string;
    readonly 'not-compared': string;
  };
  /** Above the last lines that a command printed. */
  readonly output: string;
  kept(folder: string): string;
  readonly stopped: string;
}

const en: DrillWords = {
  language: 'en',
  title: (source, commit) => `Recovery drill: ${source}${commit === null ? '' : ` at ${commit}`}`,
  location: (site, url) => (site === null ? url : `${site} at ${url}`),
  steps: {
    clone: 'clone',
    copy: 'copy',
    serve: 'serve',
    deploy: 'deploy',
    'first-answer': 'first response',
    healthy: 'healthy',
  },
  total: 'total',
  progress: {
    clone: 'cloning the repository',
    copy: 'copying the folder',
    serve: 'starting the server',
    deploy: 'running the deploy command',
    'first-answer': 'waiting for the first response',
    healthy: 'waiting for the site to be healthy',
  },
  recovered: (total, objective, verdict) => `recovered in ${total}, recovery time objective ${objective}: ${verdict}`,
  notRecovered: (total, objective, verdict) =>
    `not recovered after ${total}, recovery time objective ${objective}: ${verdict}`,
  unknown: (total) => `ended after ${total}: unknown whether the recovery time objective can be met`,
  met: 'met',
  missed: 'missed',
  failures: {
    'no-git': 'Git could not be started.',
    'no-room': 'The disk of this machine is full.',
    'clone-failed': 'The repository could not be cloned.',
    'copy-failed': 'The folder could not be copied.',
    'no-site': 'No site found: no folder has an index.html with Markdown beside it.',
    'no-folder': 'The folder of --folder does not exist.',
    'cannot-serve': 'The server could not be started.',
    'deploy-failed': 'The deploy command failed.',
    'time-up': 'The deadline passed.',
    'no-answer': 'The host returned no file of the site.',
    'not-healthy': 'The site is not healthy.',
    'not-told': 'A failure of this machine kept the checks from a verdict.',
  },
  fixes: {
    'no-git': 'Install Git, or name a plain folder with --source.',
    'no-room': 'Free space in the folder for temporary files (TMPDIR).',
    'clone-failed': 'Check the address, the branch and your access: a recovery needs them too.',
    'copy-failed': 'Check that all its files can be read.',
    'no-site': 'Name the folder with --folder. If the site is built first, build and deploy it with --deploy.',
    'no-folder': 'Write it relative to the root of the clone.',
    'cannot-serve': 'Check what prevents a server from listening on 127.0.0.1.',
    'deploy-failed': 'Fix the command and run the drill again.',
    'time-up': 'Find the slow step, or set a longer --deadline.',
    'no-answer': 'Check the address, and that the deploy command copies the files there.',
    'not-healthy': null,
    'not-told': 'Fix what the checks report about this machine, then run the drill again.',
  },
  notes: {
    uncommitted: (count) =>
      count === 1
        ? '1 file of the work tree has uncommitted changes, which a recovery would not have.'
        : `${count} files of the work tree have uncommitted changes, which a recovery would not have.`,
    submodules: 'The repository has submodules, which are not cloned.',
    'answered-before': 'The address already had a site: this measured a redeployment, not a recovery from nothing.',
    'not-compared': 'The deployed files were not compared with the clone: only the health of the site was checked.',
  },
  output: 'Last lines of the command:',
  kept: (folder) => `The clone is kept in ${folder}`,
  stopped: 'Stopped before the end.',
};

/** `19 fișiere`, `20 de fișiere`, `101 fișiere`. */
const roFiles = (count: number): string =>
  count % 100 === 0 || count % 100 > 19 ? `${count} de fișiere` : `${count} fișiere`;

const ro: DrillWords = {
  language: 'ro',
  title: (source, commit) => `Exercițiu de recuperare: ${source}${commit === null ? '' : ` la ${commit}`}`,
  location: (site, url) => (site === null ? url : `${site} la ${url}`),
  steps: {
    clone: 'clonare',
    copy: 'copiere',
    serve: 'servire',
    deploy: 'publicare',
    'first-answer': 'primul răspuns',
    healthy: 'funcțional',
  },
  total: 'în total',
  progress: {
    clone: 'se clonează depozitul',
    copy: 'se copiază dosarul',
    serve: 'pornește serverul',
    deploy: 'rulează comanda de publicare',
    'first-answer': 'se așteaptă primul răspuns',
    healthy: 'se așteaptă ca site-ul să fie funcțional',
  },
  recovered: (total, objective, verdict) =>
    `recuperat în ${total}, obiectiv de timp de recuperare ${objective}: ${verdict}`,
  notRecovered: (total, objective, verdict) =>
    `nerecuperat după ${total}, obiectiv de timp de recuperare ${objective}: ${verdict}`,
  unknown: (total) => `încheiat după ${total}: nu se știe dacă obiectivul de timp de recuperare poate fi atins`,
  met: 'atins',
  missed: 'neatins',
  failures: {
    'no-git': 'Git nu a putut fi pornit.',
    'no-room': 'Discul acestei mașini este plin.',
    'clone-failed': 'Depozitul nu a putut fi clonat.',
    'copy-failed': 'Dosarul nu a putut fi copiat.',
    'no-site': 'Nu s-a găsit niciun site: niciun dosar nu conține un index.html însoțit de Markdown.',
    'no-folder': 'Dosarul indicat cu --folder nu există.',
    'cannot-serve': 'Serverul nu a putut fi pornit.',
    'deploy-failed': 'Comanda de publicare a eșuat.',
    'time-up': 'Termenul-limită a expirat.',
    'no-answer': 'Gazda nu a trimis niciun fișier al site-ului.',
    'not-healthy': 'Site-ul nu este funcțional.',
    'not-told': 'O eroare a acestei mașini a împiedicat verificarea site-ului.',
  },
  fixes: {
    'no-git': 'Instalați Git sau indicați un dosar obișnuit cu --source.',
    'no-room': 'Eliberați spațiu în dosarul pentru fișiere temporare (TMPDIR).',
    'clone-failed': 'Verificați adresa, ramura și accesul: și o recuperare are nevoie de ele.',
    'copy-failed': 'Verificați că toate fișierele din el pot fi citite.',
    'no-site': 'Indicați dosarul cu --folder. Dacă site-ul trebuie construit, construiți-l și publicați-l cu --deploy.',
    'no-folder': 'Scrieți-l relativ la rădăcina clonei.',
    'cannot-serve': 'Verificați ce împiedică un server să asculte la 127.0.0.1.',
    'deploy-failed': 'Corectați comanda și repetați exercițiul.',
    'time-up': 'Găsiți pasul lent sau măriți --deadline.',
    'no-answer': 'Verificați adresa și că acolo ajung fișierele copiate de comanda de publicare.',
    'not-healthy': null,
    'not-told': 'Remediați ce raportează verificările despre această mașină și repetați exercițiul.',
  },
  notes: {
    uncommitted: (count) =>
      count === 1
        ? '1 fișier din arborele de lucru are modificări fără commit, pe care o recuperare nu le-ar avea.'
        : `${roFiles(count)} din arborele de lucru au modificări fără commit, pe care o recuperare nu le-ar avea.`,
    submodules: 'Depozitul are submodule, care nu se clonează.',
    'answered-before': 'La această adresă exista deja un site: s-a măsurat o republicare, nu o recuperare de la zero.',
    'not-compared':
      'Fișierele publicate nu au fost comparate cu clona: s-a verificat numai dacă site-ul este funcțional.',
  },
  output: 'Ultimele rânduri ale comenzii:',
  kept: (folder) => `Clona rămâne în ${folder}`,
  stopped: 'Oprit înainte de sfârșit.',
};

const fr: DrillWords = {
  language: 'fr',
  title: (source, commit) => `Exercice de rétablissement : ${source}${commit === null ? '' : `, commit ${commit}`}`,
  location: (site, url) => (site === null ? url : `${site} sur ${url}`),
  steps: {
    clone: 'clonage',
    copy: 'copie',
    serve: 'mise en service',
    deploy: 'déploiement',
    'first-answer': 'première réponse',
    healthy: 'opérationnel',
  },
  total: 'au total',
  progress: {
    clone: 'clonage du dépôt',
    copy: 'copie du dossier',
    serve: 'démarrage du serveur',
    deploy: 'exécution de la commande de déploiement',
    'first-answer': 'attente de la première réponse',
    healthy: 'attente d’un site opérationnel',
  },
  recovered: (total, objective, verdict) =>
    `rétabli en ${total}, objectif de temps de rétablissement ${objective} : ${verdict}`,
  notRecovered: (total, objective, verdict) =>
    `non rétabli après ${total}, objectif de temps de rétablissement ${objective} : ${verdict}`,
  unknown: (total) =>
    `terminé après ${total} : on ne sait pas si l’objectif de temps de rétablissement peut être atteint`,
  met: 'atteint',
  missed: 'manqué',
  failures: {
    'no-git': 'Git n’a pas pu être lancé.',
    'no-room': 'Le disque de cette machine est plein.',
    'clone-failed': 'Le dépôt n’a pas pu être cloné.',
    'copy-failed': 'Le dossier n’a pas pu être copié.',
    'no-site': 'Aucun site trouvé : aucun dossier ne contient un index.html accompagné de Markdown.',
    'no-folder': 'Le dossier indiqué par --folder n’existe pas.',
    'cannot-serve': 'Le serveur n’a pas pu démarrer.',
    'deploy-failed': 'La commande de déploiement a échoué.',
    'time-up': 'Le délai est dépassé.',
    'no-answer': 'L’hébergeur n’a renvoyé aucun fichier du site.',
    'not-healthy': 'Le site n’est pas opérationnel.',
    'not-told': 'Une défaillance de cette machine a empêché de contrôler le site.',
  },
  fixes: {
    'no-git': 'Installez Git, ou indiquez un simple dossier avec --source.',
    'no-room': 'Libérez de l’espace dans le dossier des fichiers temporaires (TMPDIR).',
    'clone-failed': 'Vérifiez l’adresse, la branche et l’accès : un rétablissement en a besoin aussi.',
    'copy-failed': 'Vérifiez que tous ses fichiers sont lisibles.',
    'no-site':
      'Indiquez le dossier avec --folder. Si le site doit être construit, construisez-le et déployez-le avec --deploy.',
    'no-folder': 'Écrivez-le par rapport à la racine du clone.',
    'cannot-serve': 'Vérifiez ce qui empêche un serveur d’écouter sur 127.0.0.1.',
    'deploy-failed': 'Corrigez la commande, puis recommencez l’exercice.',
    'time-up': 'Cherchez l’étape lente, ou augmentez --deadline.',
    'no-answer': 'Vérifiez l’adresse, et que la commande de déploiement y copie les fichiers.',
    'not-healthy': null,
    'not-told': 'Corrigez ce que les contrôles signalent sur cette machine, puis recommencez l’exercice.',
  },
  notes: {
    uncommitted: (count) =>
      count === 1
        ? '1 fichier de l’arbre de travail a des modifications non validées, qu’un rétablissement n’aurait pas.'
        : `${count} fichiers de l’arbre de travail ont des modifications non validées, qu’un rétablissement n’aurait pas.`,
    submodules: 'Le dépôt a des sous-modules, qui ne sont pas clonés.',
    'answered-before':
      'Cette adresse avait déjà un site : c’est un redéploiement qui a été mesuré, pas un rétablissement à partir de rien.',
    'not-compared':
      'Les fichiers déployés n’ont pas été comparés au clone : seul le bon fonctionnement du site a été contrôlé.',
  },
  output: 'Dernières lignes de la commande :',
  kept: (folder) => `Le clone reste dans ${folder}`,
  stopped: 'Arrêté avant la fin.',
};

export const DRILL_WORDS: Readonly<Record<Language, DrillWords>> = { en, ro, fr };
