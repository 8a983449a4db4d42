import { counted as inWords } from '../../../messages/counted-ro.ts';
import type { PageWords } from './words.ts';

const number = (count: number): string => new Intl.NumberFormat('ro').format(count);
const counted = (count: number, one: string, many: string): string => inWords(count, one, many, number(count));
const sites = (count: number): string => counted(count, 'site', 'site-uri');
/** `1 din 3 site-uri`, `2 din 20 de site-uri` */
const of = (count: number, total: number): string => `${number(count)} din ${sites(total)}`;
const runs = (total: number): string => counted(total, 'rundă', 'runde');
const verb = (count: number, one: string, many: string): string => (count === 1 ? one : many);

export const words: PageWords = {
  status: 'Stare',
  skip: 'Sari la conținut',
  language: 'Limba',
  headlines: {
    healthy: {
      one: (name) => `${name} funcționează`,
      some: (count, total) => `${of(count, total)} funcționează`,
      all: (total) => `Toate cele ${sites(total)} funcționează`,
    },
    down: {
      one: (name) => `${name} nu funcționează`,
      some: (count, total) => `${of(count, total)} nu funcționează`,
      all: (total) => `Niciunul dintre cele ${sites(total)} nu funcționează`,
    },
    unstable: {
      one: (name) => `${name} este instabil`,
      some: (count, total) => `${of(count, total)} ${verb(count, 'este instabil', 'sunt instabile')}`,
      all: (total) => `Toate cele ${sites(total)} sunt instabile`,
    },
    degraded: {
      one: (name) => `${name} funcționează doar în parte`,
      some: (count, total) => `${of(count, total)} funcționează doar în parte`,
      all: (total) => `Toate cele ${sites(total)} funcționează doar în parte`,
    },
    stale: {
      one: (name) => `${name} are o versiune învechită`,
      some: (count, total) => `${of(count, total)} ${verb(count, 'are', 'au')} o versiune învechită`,
      all: (total) => `Toate cele ${sites(total)} au o versiune învechită`,
    },
    unknown: {
      one: (name) => `Nu se știe în ce stare este ${name}`,
      some: (count, total) => `Nu se știe în ce stare ${verb(count, 'este', 'sunt')} ${of(count, total)}`,
      all: (total) => `Nu se știe în ce stare sunt cele ${sites(total)}`,
    },
    new: {
      one: (name) => `${name} nu a fost încă verificat`,
      some: (count, total) =>
        `${of(count, total)} nu ${verb(count, 'a fost încă verificat', 'au fost încă verificate')}`,
      all: () => 'Niciun site nu a fost încă verificat',
    },
    maintenance: {
      one: (name) => `${name} este în mentenanță`,
      some: (count, total) => `${of(count, total)} ${verb(count, 'este', 'sunt')} în mentenanță`,
      all: (total) => `Toate cele ${sites(total)} sunt în mentenanță`,
    },
  },
  kinds: { new: 'încă neverificat', maintenance: 'mentenanță', unstable: 'instabil' },
  counted: {
    healthy: (count) => `${number(count)} ${verb(count, 'sănătos', 'sănătoase')}`,
    down: (count) => `${number(count)} ${verb(count, 'căzut', 'căzute')}`,
    unstable: (count) => `${number(count)} ${verb(count, 'instabil', 'instabile')}`,
    degraded: (count) => `${number(count)} ${verb(count, 'degradat', 'degradate')}`,
    stale: (count) => `${number(count)} ${verb(count, 'învechit', 'învechite')}`,
    unknown: (count) => `${number(count)} ${verb(count, 'necunoscut', 'necunoscute')}`,
    new: (count) => `${number(count)} încă ${verb(count, 'neverificat', 'neverificate')}`,
    maintenance: (count) => `${number(count)} în mentenanță`,
  },
  meanings: {
    new: 'Prima verificare a site-ului nu s-a încheiat încă.',
    unstable: 'Site-ul funcționează doar uneori sau tocmai și-a revenit. Incidentul nu s-a încheiat încă.',
    maintenance: 'Se lucrează la site, așa că deocamdată poate să nu funcționeze.',
  },
  noSites: 'Niciun site nu este urmărit',
  asOf: 'Starea din',
  aged: 'Această pagină este deschisă de mai mult de două minute și nu mai este de actualitate.',
  reload: 'Încărcați-o din nou',
  stopRefresh: 'Opriți reîncărcarea',
  refresh: 'Reîncărcați automat',
  silent: (time, verdict) => `Nu se mai știe nimic din ${time}; atunci era ${verdict}.`,
  suspected: 'O primă verificare a găsit un defect, care se confirmă acum.',
  troubles: {
    'database-damaged':
      'Baza de date a monitorului era deteriorată. A fost creată una nouă; o parte din istoric lipsește.',
    'database-replaced':
      'Baza de date a monitorului a fost ștearsă sau înlocuită. A fost creată una nouă; o parte din istoric lipsește.',
    'disk-full': 'Discul monitorului este plin: ce găsește acum poate lipsi mai târziu de aici.',
    'no-network': 'Rețeaua monitorului însuși a căzut, așa că nu poate spune cum sunt site-urile.',
    'store-unreadable': 'Baza de date a monitorului nu poate fi citită, așa că trecutul lipsește de aici.',
    other: 'Monitorul însuși are o problemă:',
  },
  unreadable: 'Aceste date nu pot fi citite acum.',

  sites: 'Site-uri',
  otherSites: 'Alte site-uri',
  checks: 'Verificări',
  check: 'Verificare',
  result: 'Rezultat',
  lookedAt: 'Verificat',
  findings: 'Constatări',
  noChecks: 'Încă nu s-a rulat nicio verificare.',

  uptime: 'Disponibilitate',
  up: (percent) => `disponibil ${percent}`,
  noUptime: 'încă nu se știe nimic',
  barsLegend: 'Fiecare bară este o perioadă; partea ei de jos arată cât din ea site-ul a avut un defect.',
  bars: {
    minute: {
      legend: 'Fiecare bară este un minut; partea ei de jos arată cât din el site-ul a avut un defect.',
      unit: 'Minut',
      ago: (n) => `acum ${counted(n, 'minut', 'minute')}`,
      now: 'acum',
      label: (n, up, bad) =>
        `În ultimele ${counted(n, 'minut', 'minute')}: ${up}. ${bad === 0 ? 'Niciun minut cu defecte.' : `${counted(bad, 'minut', 'minute')} cu defecte.`}`,
      faults: 'Minute cu defecte',
      noFaults: 'Niciun minut cu defecte.',
    },
    hour: {
      legend: 'Fiecare bară este o oră; partea ei de jos arată cât din ea site-ul a avut un defect.',
      unit: 'Oră',
      ago: (n) => `acum ${counted(n, 'oră', 'ore')}`,
      now: 'acum',
      label: (n, up, bad) =>
        `În ultimele ${counted(n, 'oră', 'ore')}: ${up}. ${bad === 0 ? 'Nicio oră cu defecte.' : `${counted(bad, 'oră', 'ore')} cu defecte.`}`,
      faults: 'Ore cu defecte',
      noFaults: 'Nicio oră cu defecte.',
    },
    day: {
      legend: 'Fiecare bară este o zi în UTC; partea ei de jos arată cât din ea site-ul a avut un defect.',
      unit: 'Zi',
      ago: (n) => `acum ${counted(n, 'zi', 'zile')}`,
      now: 'azi',
      label: (n, up, bad) =>
        `În ultimele ${counted(n, 'zi', 'zile')}: ${up}. ${bad === 0 ? 'Nicio zi cu defecte.' : `${counted(bad, 'zi', 'zile')} cu defecte.`}`,
      faults: 'Zile cu defecte',
      noFaults: 'Nicio zi cu defecte.',
    },
  },
  upLegend:
    'Disponibil înseamnă că vizitatorii au văzut site-ul; mentenanța și timpul despre care nu se știe nimic nu se socotesc.',
  periodKinds: {
    none: 'nu a rulat nicio verificare',
    maintenance: 'mentenanță',
    unknown: 'nu s-a putut afla nimic',
    well: 'niciun defect',
  },
  badRounds: {
    down: (count, total) => `căzut în ${number(count)} din ${runs(total)}`,
    degraded: (count, total) => `degradat în ${number(count)} din ${runs(total)}`,
    stale: (count, total) => `învechit în ${number(count)} din ${runs(total)}`,
  },

  response: { hour: 'Timpul de răspuns în ultima oră', day: 'Timpul de răspuns în ultimele 24 de ore' },
  noResponse: 'În acest timp nu s-a primit niciun răspuns.',
  lastChecks: 'Ultimele verificări',
  fullCheck: 'verificare completă',
  responseTime: 'Timp de răspuns',
  responseSummary: (mean, slowest, at) =>
    `În medie ${mean}; cel mai lent răspuns a durat ${slowest}, la ora ${at} UTC.`,
  responseKeys: { mean: 'medie', p95: 'percentila 95', bad: 'nu era în regulă', maintenance: 'mentenanță' },
  byHour: 'Pe ore',
  hour: 'Ora',
  slowest: 'cel mai lent',

  incidentsNow: 'Incidente în curs',
  pastIncidents: 'Incidente încheiate',
  allIncidents: 'Toate incidentele',
  noIncidents: (days) => `În ultimele ${counted(days, 'zi', 'zile')} nu a fost niciun incident.`,
  leftOut: (count) => `… și încă ${number(count)}`,
  mostTold: (count) => `Sunt arătate ultimele ${number(count)}.`,
  recovered: (title) => `${title}, restabilit`,
  incidentTitles: {
    unstable: (site) => `${site}: instabil`,
    down: (site) => `${site}: căzut`,
    degraded: (site) => `${site}: degradat`,
    stale: (site) => `${site}: învechit`,
  },
  clocks: { started: 'Început', detected: 'Detectat', notified: 'Anunțat', recovered: 'Restabilit' },
  startedNotes: {
    'good-round': 'ultima verificare bună',
    'maintenance-end': 'sfârșitul mentenanței',
    'first-bad-round': 'prima verificare care l-a găsit',
    'up-round': 'ultima verificare în care nu era căzut',
    'outage-end': 'sfârșitul căderii',
  },
  notYet: 'încă nu',
  nobodyNotified: 'nu a fost anunțat nimeni',
  notifiedWith: 'odată cu incidentul cu aceeași cauză',
  later: (duration) => `după ${duration}`,
  fromDetection: (duration) => `${duration} (de la detectare)`,
  met: (duration, rto) => `restabilit în ${duration}, obiectiv ${rto}: atins`,
  missed: (duration, rto) => `restabilit în ${duration}, obiectiv ${rto}: ratat`,
  openWithin: (duration, rto) => `deschis de ${duration}, obiectiv ${rto}: mai poate fi atins`,
  openBeyond: (duration, rto) => `deschis de ${duration}, obiectiv ${rto}: ratat`,
  whatFails: 'Ce nu funcționează și ce este de făcut',
  whatFailed: 'Ce nu a funcționat și ce era de făcut',
  deploy: 'Publicare suspectă:',
  deployBefore: 'înainte',
  deploySeen: 'văzută prima dată la',
  flapping: 'Site-ul cade și își revine mereu.',
  unsteady: 'instabil',
  said: (checks, what) => `${checks}: ${what}`,
  sameAs: 'Aceeași cauză ca',

  maintenance: 'Mentenanță',
  goesOn: 'În curs',

  allSites: 'Toate site-urile',
  notFound: 'Pagina nu există',
  notFoundHint: 'Adresa poate fi greșită, site-ul nu mai este monitorizat sau incidentul este prea vechi.',
  badge: 'Insignă',
  follow: 'Urmăriți',
  madeBy: 'Urmărit de docvitals. Toate orele sunt UTC.',

  site: 'Site',
  until: 'până la',
  exported: (files, folder) => `${counted(files, 'fișier scris', 'fișiere scrise')} în ${folder}.`,
  removed: (files) => `${counted(files, 'fișier de dinainte șters', 'fișiere de dinainte șterse')}.`,

  badgeLabel: 'stare',
  feedRecovered: (site) => `${site}: restabilit`,
  feedDescription: 'Incidente și restabiliri',
};
