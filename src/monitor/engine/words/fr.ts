import type { EngineWords } from './words.ts';

export const words: EngineWords = {
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
