import type { EngineWords } from './words.ts';

/** `20 de site-uri`: from twenty on, unless the last two digits are 1 to 19, a noun wants `de`. */
const of = (count: number): string => (count === 0 || (count % 100 > 0 && count % 100 < 20) ? '' : 'de ');

export const words: EngineWords = {
  watching: (sites) => (sites === 1 ? 'Se supraveghează 1 site.' : `Se supraveghează ${sites} ${of(sites)}site-uri.`),
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
      : `${count} ${of(count)}alerte nu au putut fi trimise; următoarea rulare încearcă din nou.`,
  notKept: 'Cele constatate nu au putut fi scrise în baza de date.',

  maintenanceStarted: (site, until) => `${site}: în mentenanță până la ${until}.`,
  maintenanceEnded: (site, count) =>
    count === 0 ? `${site}: nu era nicio mentenanță în curs.` : `${site}: mentenanța s-a încheiat.`,
  maintenanceGoesOn: (site, until) => `${site}: încă în mentenanță până la ${until}, cum prevede configurația.`,
  noMaintenance: 'Nu este nicio mentenanță în curs și niciuna planificată.',
  heads: ['site', 'de la', 'până la', 'motiv'],
  now: 'acum',
};
