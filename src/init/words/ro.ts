import type { InitWords } from './words.ts';

const plural = new Intl.PluralRules('ro');

export const words: InitWords = {
  foundSite(folder, engine) {
    if (folder === null) return 'Sit: nu a fost găsit (niciun dosar nu are index.html și fișiere Markdown alături)';
    return `Sit: ${folder}${engine === null ? '' : ` (${engine})`}`;
  },
  foundHost: (provider, sign) =>
    provider === null ? 'Găzduire: nu s-a găsit nimic care să o spună' : `Găzduire: ${provider} (${sign})`,
  foundRepository(name, branch) {
    const of = branch === null ? '' : `, ramura ${branch}`;
    return name === null ? `Depozit: niciun remote cunoscut${of}` : `Depozit: ${name}${of}`;
  },
  outsideRepository: 'Depozit: niciunul, dosarul nu este în Git',
  address: (url, origin) => `Adresă: ${url}${origin === null ? '' : ` (${origin})`}`,
  guessed: (provider) => `presupunere: ${provider}`,

  askLanguage: 'Limba rapoartelor',
  askUrl: 'Adresa site-ului',
  askHost: 'Ce servește site-ul?',
  hosts: {
    server: 'un server web simplu',
    platform: 'o platformă de găzduire',
    worker: 'un worker de margine (edge)',
  },
  hostUnknown: 'nu știu sigur (docvitals află)',
  askWorkflows: 'Când să verifice GitHub site-ul? (Spațiu selectează)',
  workflows: {
    pages: 'după fiecare publicare pe GitHub Pages, pe care tot acest flux o face',
    push: 'după fiecare push, odată ce Netlify, Cloudflare sau altă platformă l-a publicat',
    'deployment-status': 'după fiecare publicare pe care o platformă o raportează către GitHub, ca Vercel',
    dispatch: 'când o platformă sau un script trimite un eveniment',
    nightly: 'în fiecare noapte; un tichet spune ce nu este în regulă',
  },
  askHosting: (host) => `Scriem și configurația găzduirii (${host})?`,
  askMonitor: 'Urmărim site-ul și permanent, cu monitorul?',
  askWrite: 'Scriem aceste fișiere?',
  yes: 'Da',
  no: 'Nu',
  cancelled: 'Nu s-a scris nimic.',

  planned: (root) => `Fișiere în ${root}:`,
  states: { new: 'nou', unchanged: 'neschimbat', exists: 'există, rămâne așa', replaced: 'există, se înlocuiește' },
  leftAlone: 'Ce există rămâne cum este; --force îl înlocuiește.',
  dryRun: 'Nu s-a scris nimic (--dry-run).',
  nothingToWrite: 'Nu este nimic de scris.',
  written(count) {
    const rule = plural.select(count);
    if (rule === 'one') return '1 fișier scris.';
    return rule === 'few' ? `${count} fișiere scrise.` : `${count} de fișiere scrise.`;
  },

  configured: (file) => `${file} este deja configurația, așa că nu se scrie docvitals.yaml.`,
  paste: (file) => `${file} publică deja pe GitHub Pages. Adăugați în el acest job, în locul oricărui \`sleep\`:`,
  command: (forge) =>
    forge === null
      ? 'Nu s-a găsit un depozit pe GitHub, așa că nu se scrie niciun flux de lucru. După fiecare publicare rulați:'
      : `${forge} nu rulează fluxurile de lucru GitHub, așa că nu se scrie niciunul. După fiecare publicare, CI-ul lui să ruleze:`,
  noHosting: (provider) =>
    `Găzduire: docvitals nu are o configurație pentru ${provider}, așa că nu se scrie niciuna. Vedeți ce există: docvitals hosting --help`,
  hosting: (file, command) => `Ce trebuie să spună ${file} și de ce: ${command}`,
  deployedFolder: (file, base) =>
    base === null
      ? `${file}: numiți dosarul care se publică; nu a fost găsit.`
      : `${file}: numiți dosarul care se publică; site-ul trebuie să fie sub el, în ${base}`,
  afterwards: {
    pages: 'GitHub Pages: în setările depozitului, la Pages, alegeți „GitHub Actions” ca sursă.',
    push: 'Push: platforma trebuie să publice această ramură la adresa verificată; verificarea o așteaptă.',
    'deployment-status':
      'Publicări: aplicația GitHub a platformei trebuie să fie instalată pentru acest depozit. Unde publicările sunt protejate, comentariile din fluxul de lucru arată antetul care lasă verificarea să intre.',
    dispatch: 'Evenimente: comentariile din fluxul de lucru arată cum trimite o platformă evenimentul.',
    nightly: 'În fiecare noapte: începe odată ce fluxul de lucru este pe ramura implicită.',
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
