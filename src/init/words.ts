import type { HostKind } from '../check.ts';
import type { Language } from '../texts.ts';
import type { FileState } from './files.ts';
import type { WorkflowKind } from './workflow-kinds.ts';

/** The words of `docvitals init`. All arguments are printable. */
export interface InitWords {
  /** `null`: not detected. `file` shows the host. */
  foundSite(folder: string | null, engine: string | null): string;
  foundHost(provider: string | null, file: string): string;
  foundRepository(name: string | null, branch: string | null): string;
  readonly outsideRepository: string;
  /** `origin`: the file or the guess that it comes from; `null`: the user. */
  address(url: string, origin: string | null): string;
  guessed(provider: string): string;

  readonly askLanguage: string;
  readonly askUrl: string;
  readonly askHost: string;
  readonly hosts: Readonly<Record<HostKind, string>>;
  readonly hostUnknown: string;
  readonly askWorkflows: string;
  readonly workflows: Readonly<Record<WorkflowKind, string>>;
  askHosting(host: string): string;
  readonly askMonitor: string;
  readonly askWrite: string;
  readonly yes: string;
  readonly no: string;
  readonly cancelled: string;

  /** Above the tree of files. */
  planned(root: string): string;
  readonly states: Readonly<Record<FileState, string>>;
  /** How to replace existing files. */
  readonly leftAlone: string;
  readonly dryRun: string;
  readonly nothingToWrite: string;
  written(count: number): string;

  configured(file: string): string;
  /** Above a job to add to a workflow. */
  paste(file: string): string;
  /** Above the command for a CI without GitHub's workflows. `forge`: its name, if known. */
  command(forge: string | null): string;
  noHosting(provider: string): string;
  /** `command` prints the file of a host with explanations. */
  hosting(file: string, command: string): string;
  /** The deployed folder is not known. `base`: the folder of the site below it; `null`: it is the site's own. */
  deployedFolder(file: string, base: string | null): string;
  readonly afterwards: Readonly<Record<WorkflowKind, string>>;
  /** GitHub cannot reach the address. `isWritten`: the workflows are written nevertheless. */
  unreachable(url: string, isWritten: boolean): string;
  monitor(command: string): string;
  monitorOffer(command: string): string;
  next(command: string): string;
}

const en: InitWords = {
  foundSite(folder, engine) {
    if (folder === null) return 'Site: none found (no folder has an index.html with Markdown beside it)';
    return `Site: ${folder}${engine === null ? '' : ` (${engine})`}`;
  },
  foundHost: (provider, file) => (provider === null ? 'Hosting: not detected' : `Hosting: ${provider} (${file})`),
  foundRepository(name, branch) {
    const of = branch === null ? '' : `, branch ${branch}`;
    return name === null ? `Repository: no known remote${of}` : `Repository: ${name}${of}`;
  },
  outsideRepository: 'Repository: none, this folder is not in Git',
  address: (url, origin) => `Address: ${url}${origin === null ? '' : ` (${origin})`}`,
  guessed: (provider) => `guessed: ${provider}`,

  askLanguage: 'Language of the reports',
  askUrl: 'Address of the site',
  askHost: 'What serves the site?',
  hosts: { server: 'a plain web server', platform: 'a hosting platform', worker: 'an edge worker' },
  hostUnknown: 'not sure (docvitals detects it)',
  askWorkflows: 'When should GitHub check the site? (Space selects)',
  workflows: {
    pages: 'after each deployment to GitHub Pages (this workflow deploys too)',
    push: 'after each push, once Netlify, Cloudflare or another platform has deployed it',
    'deployment-status': 'after each deployment that a platform reports to GitHub, as Vercel does',
    dispatch: 'when a platform or a script sends an event',
    nightly: 'every night; an issue reports failures',
  },
  askHosting: (host) => `Write the configuration of the host too (${host})?`,
  askMonitor: 'Also watch the site round the clock with the monitor?',
  askWrite: 'Write these files?',
  yes: 'Yes',
  no: 'No',
  cancelled: 'Nothing was written.',

  planned: (root) => `Files in ${root}:`,
  states: { new: 'new', unchanged: 'unchanged', exists: 'exists, kept', replaced: 'exists, replaced' },
  leftAlone: 'Existing files are kept; --force replaces them.',
  dryRun: 'Nothing was written (--dry-run).',
  nothingToWrite: 'Nothing to write.',
  written: (count) => (count === 1 ? '1 file written.' : `${count} files written.`),

  configured: (file) => `${file} is already the configuration, so docvitals.yaml is not written.`,
  paste: (file) => `${file} already deploys to GitHub Pages. Add this job to it, instead of any \`sleep\`:`,
  command: (forge) =>
    forge === null
      ? 'No repository on GitHub was detected, so no workflow is written. After each deployment, run:'
      : `${forge} does not run GitHub’s workflows, so none is written. After each deployment, run this in its CI:`,
  noHosting: (provider) =>
    `Hosting: docvitals has no configuration for ${provider}, so none is written. List the available ones: docvitals hosting --help`,
  hosting: (file, command) => `Contents of ${file}, explained: ${command}`,
  deployedFolder: (file, base) =>
    base === null
      ? `${file}: name the deployed folder, which was not detected.`
      : `${file}: name the deployed folder; the site must be below it, in ${base}`,
  afterwards: {
    pages: 'GitHub Pages: in the repository’s settings, under Pages, choose “GitHub Actions” as the source.',
    push: 'Pushes: the platform must deploy this branch to the address that is checked; the check waits for it.',
    'deployment-status':
      'Deployments: the platform’s GitHub app must be installed for this repository. If deployments are protected, the comments in the workflow show the header that gives the check access.',
    dispatch: 'Dispatch: the comments in the workflow show how a platform sends the event.',
    nightly: 'Nightly: runs begin when the workflow is on the default branch.',
  },
  unreachable: (url, isWritten) =>
    isWritten
      ? `GitHub cannot reach ${url}: these workflows fail until they and docvitals.yaml name the public address.`
      : `No workflow is written, because GitHub cannot reach ${url}. Once the site has a public address, run docvitals init with --url again.`,
  monitor: (command) =>
    `The monitor checks the site round the clock, sends notifications and serves a status page. Start it: ${command}`,
  monitorOffer: (command) =>
    `To have the site checked round the clock, with notifications and a status page, start the monitor: ${command}`,
  next: (command) => `Try it: ${command}`,
};

const roPlural = new Intl.PluralRules('ro');

const ro: InitWords = {
  foundSite(folder, engine) {
    if (folder === null) return 'Sit: nu a fost găsit (niciun dosar nu are index.html și fișiere Markdown alături)';
    return `Sit: ${folder}${engine === null ? '' : ` (${engine})`}`;
  },
  foundHost: (provider, file) => (provider === null ? 'Găzduire: nedetectată' : `Găzduire: ${provider} (${file})`),
  foundRepository(name, branch) {
    const of = branch === null ? '' : `, ramura ${branch}`;
    return name === null ? `Depozit: niciun remote cunoscut${of}` : `Depozit: ${name}${of}`;
  },
  outsideRepository: 'Depozit: niciunul, dosarul nu este în Git',
  address: (url, origin) => `Adresă: ${url}${origin === null ? '' : ` (${origin})`}`,
  guessed: (provider) => `presupus: ${provider}`,

  askLanguage: 'Limba rapoartelor',
  askUrl: 'Adresa site-ului',
  askHost: 'Ce servește site-ul?',
  hosts: {
    server: 'un server web simplu',
    platform: 'o platformă de găzduire',
    worker: 'un worker de margine (edge)',
  },
  hostUnknown: 'nu știu sigur (docvitals detectează)',
  askWorkflows: 'Când să verifice GitHub site-ul? (Spațiu selectează)',
  workflows: {
    pages: 'după fiecare publicare pe GitHub Pages (fluxul de lucru face și publicarea)',
    push: 'după fiecare push, odată ce Netlify, Cloudflare sau altă platformă l-a publicat',
    'deployment-status': 'după fiecare publicare pe care o platformă o raportează către GitHub, ca Vercel',
    dispatch: 'când o platformă sau un script trimite un eveniment',
    nightly: 'în fiecare noapte; un tichet raportează problemele',
  },
  askHosting: (host) => `Scriem și configurația găzduirii (${host})?`,
  askMonitor: 'Urmărim site-ul și permanent, cu monitorul?',
  askWrite: 'Scriem aceste fișiere?',
  yes: 'Da',
  no: 'Nu',
  cancelled: 'Nu s-a scris nimic.',

  planned: (root) => `Fișiere în ${root}:`,
  states: { new: 'nou', unchanged: 'neschimbat', exists: 'există, se păstrează', replaced: 'există, se înlocuiește' },
  leftAlone: 'Fișierele existente se păstrează; --force le înlocuiește.',
  dryRun: 'Nu s-a scris nimic (--dry-run).',
  nothingToWrite: 'Nimic de scris.',
  written(count) {
    const rule = roPlural.select(count);
    if (rule === 'one') return '1 fișier scris.';
    return rule === 'few' ? `${count} fișiere scrise.` : `${count} de fișiere scrise.`;
  },

  configured: (file) => `${file} este deja configurația, așa că nu se scrie docvitals.yaml.`,
  paste: (file) => `${file} publică deja pe GitHub Pages. Adăugați în el acest job, în locul oricărui \`sleep\`:`,
  command: (forge) =>
    forge === null
      ? 'Nu s-a găsit un depozit pe GitHub, așa că nu se scrie niciun flux de lucru. După fiecare publicare rulați:'
      : `${forge} nu rulează fluxurile de lucru GitHub, așa că nu se scrie niciunul. După fiecare publicare, rulați în CI-ul lui:`,
  noHosting: (provider) =>
    `Găzduire: docvitals nu are o configurație pentru ${provider}, așa că nu se scrie niciuna. Lista celor disponibile: docvitals hosting --help`,
  hosting: (file, command) => `Conținutul fișierului ${file}, explicat: ${command}`,
  deployedFolder: (file, base) =>
    base === null
      ? `${file}: indicați dosarul publicat, care nu a fost detectat.`
      : `${file}: indicați dosarul publicat; site-ul trebuie să fie sub el, în ${base}`,
  afterwards: {
    pages: 'GitHub Pages: în setările depozitului, la Pages, alegeți „GitHub Actions” ca sursă.',
    push: 'Push: platforma trebuie să publice această ramură la adresa verificată; verificarea o așteaptă.',
    'deployment-status':
      'Publicări: aplicația GitHub a platformei trebuie să fie instalată pentru acest depozit. Dacă publicările sunt protejate, comentariile din fluxul de lucru arată antetul care îi dă acces verificării.',
    dispatch: 'Evenimente: comentariile din fluxul de lucru arată cum trimite o platformă evenimentul.',
    nightly: 'În fiecare noapte: rulările încep când fluxul de lucru este pe ramura implicită.',
  },
  unreachable: (url, isWritten) =>
    isWritten
      ? `GitHub nu poate accesa ${url}: aceste fluxuri de lucru eșuează până când ele și docvitals.yaml indică adresa publică.`
      : `Nu se scrie niciun flux de lucru, pentru că GitHub nu poate accesa ${url}. Când site-ul are o adresă publică, rulați din nou docvitals init cu --url.`,
  monitor: (command) =>
    `Monitorul verifică site-ul permanent, trimite notificări și servește o pagină de stare. Porniți-l: ${command}`,
  monitorOffer: (command) =>
    `Pentru ca site-ul să fie verificat permanent, cu notificări și o pagină de stare, porniți monitorul: ${command}`,
  next: (command) => `Încercați: ${command}`,
};

const fr: InitWords = {
  foundSite(folder, engine) {
    if (folder === null) return 'Site : introuvable (aucun dossier n’a d’index.html accompagné de Markdown)';
    return `Site : ${folder}${engine === null ? '' : ` (${engine})`}`;
  },
  foundHost: (provider, file) =>
    provider === null ? 'Hébergement : non détecté' : `Hébergement : ${provider} (${file})`,
  foundRepository(name, branch) {
    const of = branch === null ? '' : `, branche ${branch}`;
    return name === null ? `Dépôt : aucun dépôt distant connu${of}` : `Dépôt : ${name}${of}`;
  },
  outsideRepository: 'Dépôt : aucun, ce dossier n’est pas dans Git',
  address: (url, origin) => `Adresse : ${url}${origin === null ? '' : ` (${origin})`}`,
  guessed: (provider) => `supposition : ${provider}`,

  askLanguage: 'Langue des rapports',
  askUrl: 'Adresse du site',
  askHost: 'Qu’est-ce qui sert le site ?',
  hosts: {
    server: 'un simple serveur web',
    platform: 'une plateforme d’hébergement',
    worker: 'un worker en périphérie (edge)',
  },
  hostUnknown: 'je ne sais pas (docvitals le détecte)',
  askWorkflows: 'Quand GitHub doit-il contrôler le site ? (Espace sélectionne)',
  workflows: {
    pages: 'après chaque déploiement sur GitHub Pages (ce workflow déploie aussi)',
    push: 'après chaque push, dès que Netlify, Cloudflare ou une autre plateforme l’a déployé',
    'deployment-status': 'après chaque déploiement qu’une plateforme signale à GitHub, comme Vercel',
    dispatch: 'quand une plateforme ou un script envoie un événement',
    nightly: 'chaque nuit ; un ticket signale les défaillances',
  },
  askHosting: (host) => `Écrire aussi la configuration de l’hébergement (${host}) ?`,
  askMonitor: 'Surveiller aussi le site en continu avec le moniteur ?',
  askWrite: 'Écrire ces fichiers ?',
  yes: 'Oui',
  no: 'Non',
  cancelled: 'Rien n’a été écrit.',

  planned: (root) => `Fichiers dans ${root} :`,
  states: { new: 'nouveau', unchanged: 'inchangé', exists: 'existe, conservé', replaced: 'existe, remplacé' },
  leftAlone: 'Les fichiers existants sont conservés ; --force les remplace.',
  dryRun: 'Rien n’a été écrit (--dry-run).',
  nothingToWrite: 'Rien à écrire.',
  written: (count) => (count === 1 ? '1 fichier écrit.' : `${count} fichiers écrits.`),

  configured: (file) => `${file} est déjà la configuration : aucun docvitals.yaml n’est écrit.`,
  paste: (file) => `${file} déploie déjà sur GitHub Pages. Ajoutez-y cette tâche, à la place de tout \`sleep\` :`,
  command: (forge) =>
    forge === null
      ? 'Aucun dépôt sur GitHub n’a été trouvé : aucun workflow n’est écrit. Après chaque déploiement, exécutez :'
      : `${forge} n’exécute pas les workflows de GitHub : aucun n’est écrit. Après chaque déploiement, exécutez dans sa CI :`,
  noHosting: (provider) =>
    `Hébergement : docvitals n’a pas de configuration pour ${provider} : aucune n’est écrite. Liste des configurations disponibles : docvitals hosting --help`,
  hosting: (file, command) => `Contenu de ${file}, expliqué : ${command}`,
  deployedFolder: (file, base) =>
    base === null
      ? `${file} : indiquez le dossier déployé ; il n’a pas été détecté.`
      : `${file} : indiquez le dossier déployé ; le site doit se trouver dessous, dans ${base}`,
  afterwards: {
    pages: 'GitHub Pages : dans les réglages du dépôt, sous Pages, choisissez « GitHub Actions » comme source.',
    push: 'Push : la plateforme doit déployer cette branche à l’adresse contrôlée ; le contrôle l’attend.',
    'deployment-status':
      'Déploiements : l’application GitHub de la plateforme doit être installée pour ce dépôt. Si les déploiements sont protégés, les commentaires du workflow montrent l’en-tête qui donne accès au contrôle.',
    dispatch: 'Événements : les commentaires du workflow montrent comment une plateforme envoie l’événement.',
    nightly: 'Chaque nuit : les exécutions commencent dès que le workflow est sur la branche par défaut.',
  },
  unreachable: (url, isWritten) =>
    isWritten
      ? `GitHub ne peut pas atteindre ${url} : ces workflows échouent tant qu’eux-mêmes et docvitals.yaml n’indiquent pas l’adresse publique.`
      : `Aucun workflow n’est écrit, car GitHub ne peut pas atteindre ${url}. Quand le site aura une adresse publique, relancez docvitals init avec --url.`,
  monitor: (command) =>
    `Le moniteur contrôle le site en continu, envoie des notifications et sert une page d’état. Démarrez-le : ${command}`,
  monitorOffer: (command) =>
    `Pour que le site soit contrôlé en continu, avec des notifications et une page d’état, démarrez le moniteur : ${command}`,
  next: (command) => `Essayez : ${command}`,
};

export const INIT_WORDS: Readonly<Record<Language, InitWords>> = { en, ro, fr };
