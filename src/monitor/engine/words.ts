import type { Language } from '../../texts.ts';

/** What `docvitals monitor` and `docvitals maintenance` say, in one language. All strings come printable. */
export interface EngineWords {
  /** First line of a monitor: what it watches. */
  watching(sites: number): string;
  /** Where the status page is. */
  page(url: string): string;
  readonly notListening: string;
  database(file: string): string;
  /** How to end it. */
  readonly howToStop: string;

  readonly inMaintenance: string;
  readonly unstable: string;
  readonly notLookedAt: string;
  /** Since when an incident is open. */
  openSince(time: string): string;
  pendingAlerts(count: number): string;
  /** What was found could not be written. */
  readonly notKept: string;

  maintenanceStarted(site: string, until: string): string;
  maintenanceEnded(site: string, count: number): string;
  /** Whatever was ended by hand: a window of the configuration goes on. */
  maintenanceGoesOn(site: string, until: string): string;
  readonly noMaintenance: string;
  /** Heads of the list: site, from, to, reason. */
  readonly heads: readonly [site: string, from: string, to: string, reason: string];
  /** Behind a window that goes on now. */
  readonly now: string;
}

const en: EngineWords = {
  watching: (sites) => (sites === 1 ? 'Watching 1 site.' : `Watching ${sites} sites.`),
  page: (url) => `Status page, metrics and API: ${url}`,
  notListening: 'No status page: give --listen 127.0.0.1:9464 for one.',
  database: (file) => `Database: ${file}`,
  howToStop: 'Ctrl-C stops it.',

  inMaintenance: 'maintenance',
  unstable: 'unstable',
  notLookedAt: 'not looked at',
  openSince: (time) => `incident open since ${time}`,
  pendingAlerts: (count) =>
    count === 1
      ? '1 alert could not be sent; the next run tries again.'
      : `${count} alerts could not be sent; the next run tries again.`,
  notKept: 'What was found could not be written to the database.',

  maintenanceStarted: (site, until) => `${site}: in maintenance until ${until}.`,
  maintenanceEnded: (site, count) =>
    count === 0 ? `${site}: no maintenance was going on.` : `${site}: maintenance ended.`,
  maintenanceGoesOn: (site, until) => `${site}: still in maintenance until ${until}, as the configuration plans.`,
  noMaintenance: 'No maintenance goes on, and none is planned.',
  heads: ['site', 'from', 'to', 'reason'],
  now: 'now',
};

/** `20 de site-uri`: from twenty on, unless the last two digits are 1 to 19, a noun wants `de`. */
const ofRo = (count: number): string => (count === 0 || (count % 100 > 0 && count % 100 < 20) ? '' : 'de ');

const ro: EngineWords = {
  watching: (sites) => (sites === 1 ? 'Se supraveghează 1 site.' : `Se supraveghează ${sites} ${ofRo(sites)}site-uri.`),
  page: (url) => `Pagina de stare, metricile și API-ul: ${url}`,
  notListening: 'Fără pagină de stare: pentru una, dați --listen 127.0.0.1:9464.',
  database: (file) => `Baza de date: ${file}`,
  howToStop: 'Ctrl-C oprește supravegherea.',

  inMaintenance: 'mentenanță',
  unstable: 'instabil',
  notLookedAt: 'neverificat',
  openSince: (time) => `incident deschis din ${time}`,
  pendingAlerts: (count) =>
    count === 1
      ? 'O alertă nu a putut fi trimisă; următoarea rulare încearcă din nou.'
      : `${count} ${ofRo(count)}alerte nu au putut fi trimise; următoarea rulare încearcă din nou.`,
  notKept: 'Cele constatate nu au putut fi scrise în baza de date.',

  maintenanceStarted: (site, until) => `${site}: în mentenanță până la ${until}.`,
  maintenanceEnded: (site, count) =>
    count === 0 ? `${site}: nu era nicio mentenanță în curs.` : `${site}: mentenanța s-a încheiat.`,
  maintenanceGoesOn: (site, until) => `${site}: încă în mentenanță până la ${until}, cum prevede configurația.`,
  noMaintenance: 'Nu este nicio mentenanță în curs și niciuna planificată.',
  heads: ['site', 'de la', 'până la', 'motiv'],
  now: 'acum',
};

const fr: EngineWords = {
  watching: (sites) => (sites <= 1 ? `${sites} site surveillé.` : `${sites} sites surveillés.`),
  page: (url) => `Page d’état, métriques et API : ${url}`,
  notListening: 'Pas de page d’état : pour en avoir une, ajoutez --listen 127.0.0.1:9464.',
  database: (file) => `Base de données : ${file}`,
  howToStop: 'Ctrl-C arrête la surveillance.',

  inMaintenance: 'maintenance',
  unstable: 'instable',
  notLookedAt: 'non vérifié',
  openSince: (time) => `incident ouvert depuis ${time}`,
  pendingAlerts: (count) =>
    count <= 1
      ? `${count} alerte n’a pas pu être envoyée ; la prochaine exécution réessaiera.`
      : `${count} alertes n’ont pas pu être envoyées ; la prochaine exécution réessaiera.`,
  notKept: 'Les constats n’ont pas pu être écrits dans la base de données.',

  maintenanceStarted: (site, until) => `${site} : en maintenance jusqu’à ${until}.`,
  maintenanceEnded: (site, count) =>
    count === 0 ? `${site} : aucune maintenance n’était en cours.` : `${site} : maintenance terminée.`,
  maintenanceGoesOn: (site, until) =>
    `${site} : toujours en maintenance jusqu’à ${until}, comme le prévoit la configuration.`,
  noMaintenance: 'Aucune maintenance en cours, aucune prévue.',
  heads: ['site', 'du', 'au', 'motif'],
  now: 'en cours',
};

const WORDS: Readonly<Record<Language, EngineWords>> = { en, ro, fr };

/** The words of one language. */
export function engineWords(language: Language): EngineWords {
  return WORDS[language];
}
