import type { DrillWords } from './words.ts';

/** `19 fișiere`, `20 de fișiere`, `101 fișiere`. */
const files = (count: number): string =>
  count % 100 === 0 || count % 100 > 19 ? `${count} de fișiere` : `${count} fișiere`;

export const words: DrillWords = {
  language: 'ro',
  title: (source, commit) => `Exercițiu de recuperare: ${source}${commit === null ? '' : ` la ${commit}`}`,
  place: (site, url) => (site === null ? url : `${site} la ${url}`),
  steps: {
    clone: 'clonare',
    copy: 'copiere',
    serve: 'servire',
    deploy: 'publicare',
    'first-answer': 'primul răspuns',
    healthy: 'sănătos',
  },
  total: 'în total',
  doing: {
    clone: 'se clonează depozitul',
    copy: 'se copiază dosarul',
    serve: 'pornește gazda de referință',
    deploy: 'rulează comanda de publicare',
    'first-answer': 'se așteaptă primul răspuns',
    healthy: 'se așteaptă ca site-ul să fie sănătos',
  },
  recovered: (total, objective, verdict) => `recuperat în ${total}, obiectiv ${objective}: ${verdict}`,
  notRecovered: (total, objective, verdict) => `nerecuperat după ${total}, obiectiv ${objective}: ${verdict}`,
  unknown: (total) => `încheiat după ${total}: nu se știe dacă obiectivul poate fi atins`,
  met: 'atins',
  notMet: 'neatins',
  failures: {
    'no-git': 'Git nu a putut fi pornit.',
    'no-room': 'Pe această mașină nu este loc pentru fișiere.',
    'clone-failed': 'Depozitul nu a putut fi clonat.',
    'copy-failed': 'Dosarul nu a putut fi copiat.',
    'no-site': 'Nu s-a găsit niciun site: niciun dosar nu are un index.html cu Markdown alături.',
    'no-folder': 'Dosarul numit de --folder nu există.',
    'cannot-serve': 'Gazda de referință nu a putut fi pornită.',
    'deploy-failed': 'Comanda de publicare a eșuat.',
    'time-up': 'Timpul a expirat.',
    'no-answer': 'Gazda nu a trimis niciun fișier al site-ului.',
    'not-healthy': 'Site-ul nu este sănătos.',
    'not-told': 'Această mașină nu a putut spune dacă site-ul este sănătos.',
  },
  fixes: {
    'no-git': 'Instalați Git sau dați un dosar simplu cu --source.',
    'no-room': 'Faceți loc în dosarul pentru fișiere temporare (TMPDIR).',
    'clone-failed': 'Verificați adresa, ramura și accesul: și o recuperare are nevoie de ele.',
    'copy-failed': 'Verificați că fiecare fișier din el poate fi citit.',
    'no-site':
      'Numiți dosarul cu --folder; dacă site-ul trebuie mai întâi construit, construiți-l și publicați-l cu --deploy.',
    'no-folder': 'Scrieți-l relativ la rădăcina a ceea ce se clonează.',
    'cannot-serve': 'Vedeți ce împiedică un server să asculte la 127.0.0.1.',
    'deploy-failed': 'Reparați comanda și repetați exercițiul.',
    'time-up': 'Aflați ce durează atât de mult sau acordați mai mult timp cu --deadline.',
    'no-answer': 'Verificați adresa și că acolo ajung fișierele aduse de comanda de publicare.',
    'not-healthy': '',
    'not-told': 'Vedeți ce spun verificările despre această mașină și repetați exercițiul.',
  },
  notes: {
    uncommitted: (count) =>
      count === 1
        ? '1 fișier din arborele de lucru nu este în depozit așa cum este: o recuperare nu l-ar avea.'
        : `${files(count)} din arborele de lucru nu sunt în depozit așa cum sunt: o recuperare nu le-ar avea.`,
    submodules: 'Depozitul are submodule, care nu se clonează.',
    'answered-before': 'La această adresă era deja un site: s-a măsurat o nouă publicare, nu o recuperare de la zero.',
    'not-compared': 'Ce este publicat nu a fost comparat cu ce s-a clonat: se știe numai dacă este sănătos.',
  },
  output: 'Ultimele rânduri ale comenzii:',
  kept: (folder) => `Ce s-a clonat rămâne în ${folder}`,
  stopped: 'Oprit înainte de sfârșit.',
};
