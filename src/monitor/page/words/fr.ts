import type { PageWords } from './words.ts';

const plural = new Intl.PluralRules('fr');
const number = (count: number): string => new Intl.NumberFormat('fr').format(count);
const verb = (count: number, one: string, many: string): string => (plural.select(count) === 'one' ? one : many);
const counted = (count: number, one: string, many: string): string => `${number(count)} ${verb(count, one, many)}`;
const of = (count: number, total: number): string =>
  `${number(count)} ${verb(count, 'site', 'sites')} sur ${number(total)}`;
const runs = (total: number): string => counted(total, 'tour', 'tours');

export const words: PageWords = {
  status: 'État',
  skip: 'Aller au contenu',
  language: 'Langue',
  headlines: {
    healthy: {
      one: (name) => `${name} fonctionne`,
      some: (count, total) => `${of(count, total)} ${verb(count, 'fonctionne', 'fonctionnent')}`,
      all: (total) => `Les ${number(total)} sites fonctionnent`,
    },
    down: {
      one: (name) => `${name} est hors service`,
      some: (count, total) => `${of(count, total)} ${verb(count, 'est', 'sont')} hors service`,
      all: (total) => `Les ${number(total)} sites sont hors service`,
    },
    unstable: {
      one: (name) => `${name} est instable`,
      some: (count, total) => `${of(count, total)} ${verb(count, 'est instable', 'sont instables')}`,
      all: (total) => `Les ${number(total)} sites sont instables`,
    },
    degraded: {
      one: (name) => `${name} ne fonctionne qu’en partie`,
      some: (count, total) => `${of(count, total)} ne ${verb(count, 'fonctionne', 'fonctionnent')} qu’en partie`,
      all: (total) => `Les ${number(total)} sites ne fonctionnent qu’en partie`,
    },
    stale: {
      one: (name) => `${name} n’est pas à jour`,
      some: (count, total) => `${of(count, total)} ${verb(count, 'n’est', 'ne sont')} pas à jour`,
      all: (total) => `Les ${number(total)} sites ne sont pas à jour`,
    },
    unknown: {
      one: (name) => `L’état de ${name} est inconnu`,
      some: (count, total) => `L’état de ${of(count, total)} est inconnu`,
      all: (total) => `L’état des ${number(total)} sites est inconnu`,
    },
    new: {
      one: (name) => `${name} n’a pas encore été vérifié`,
      some: (count, total) =>
        `${of(count, total)} ${verb(count, 'n’a pas encore été vérifié', 'n’ont pas encore été vérifiés')}`,
      all: () => 'Aucun site n’a encore été vérifié',
    },
    maintenance: {
      one: (name) => `${name} est en maintenance`,
      some: (count, total) => `${of(count, total)} ${verb(count, 'est', 'sont')} en maintenance`,
      all: (total) => `Les ${number(total)} sites sont en maintenance`,
    },
  },
  kinds: { new: 'pas encore vérifié', maintenance: 'maintenance', unstable: 'instable' },
  counted: {
    healthy: (count) => counted(count, 'sain', 'sains'),
    down: (count) => `${number(count)} hors service`,
    unstable: (count) => counted(count, 'instable', 'instables'),
    degraded: (count) => counted(count, 'dégradé', 'dégradés'),
    stale: (count) => counted(count, 'périmé', 'périmés'),
    unknown: (count) => counted(count, 'indéterminé', 'indéterminés'),
    new: (count) => counted(count, 'pas encore vérifié', 'pas encore vérifiés'),
    maintenance: (count) => `${number(count)} en maintenance`,
  },
  meanings: {
    new: 'La première vérification du site n’est pas encore terminée.',
    unstable: 'Le site ne fonctionne que par moments, ou vient de revenir. Son incident n’est pas encore clos.',
    maintenance: 'Des travaux sont en cours sur le site ; il peut ne pas fonctionner pour le moment.',
  },
  noSites: 'Aucun site n’est surveillé',
  asOf: 'État au',
  aged: 'Cette page est ouverte depuis plus de deux minutes et n’est plus à jour.',
  reload: 'La recharger',
  stopRefresh: 'Arrêter l’actualisation',
  refresh: 'Actualiser automatiquement',
  silent: (time, verdict) => `Aucune nouvelle depuis le ${time} ; l’état était alors « ${verdict} ».`,
  suspected: 'Une première vérification a trouvé un défaut, qui est en cours de confirmation.',
  troubles: {
    'database-damaged':
      'La base de données du moniteur était endommagée. Une nouvelle a été créée ; une partie de l’historique manque.',
    'database-replaced':
      'La base de données du moniteur a été supprimée ou remplacée. Une nouvelle a été créée ; une partie de l’historique manque.',
    'disk-full': 'Le disque du moniteur est plein : ce qu’il trouve maintenant pourra manquer ici plus tard.',
    'no-network': 'Le réseau du moniteur lui-même est coupé : il ne peut pas dire comment vont les sites.',
    'store-unreadable': 'La base de données du moniteur est illisible : le passé manque ici.',
    other: 'Le moniteur lui-même ne va pas bien :',
  },
  unreadable: 'Ces données ne peuvent pas être lues pour le moment.',

  sites: 'Sites',
  otherSites: 'Autres sites',
  checks: 'Vérifications',
  check: 'Vérification',
  result: 'Résultat',
  lookedAt: 'Vérifié',
  findings: 'Constats',
  noChecks: 'Aucune vérification n’a encore eu lieu.',

  uptime: 'Disponibilité',
  up: (percent) => `disponible à ${percent}`,
  noUptime: 'rien de connu encore',
  barsLegend:
    'Chaque barre est une période ; sa partie basse montre la part de cette période où le site était en défaut.',
  bars: {
    minute: {
      legend:
        'Chaque barre est une minute ; sa partie basse montre la part de cette minute où le site était en défaut.',
      unit: 'Minute',
      ago: (n) => `il y a ${counted(n, 'minute', 'minutes')}`,
      now: 'maintenant',
      label: (n, up, bad) =>
        `${counted(n, 'dernière minute', 'dernières minutes')} : ${up}. ${bad === 0 ? 'Aucune minute avec un défaut.' : `${counted(bad, 'minute', 'minutes')} avec un défaut.`}`,
      faults: 'Minutes avec un défaut',
      noFaults: 'Aucune minute avec un défaut.',
    },
    hour: {
      legend: 'Chaque barre est une heure ; sa partie basse montre la part de cette heure où le site était en défaut.',
      unit: 'Heure',
      ago: (n) => `il y a ${counted(n, 'heure', 'heures')}`,
      now: 'maintenant',
      label: (n, up, bad) =>
        `${counted(n, 'dernière heure', 'dernières heures')} : ${up}. ${bad === 0 ? 'Aucune heure avec un défaut.' : `${counted(bad, 'heure', 'heures')} avec un défaut.`}`,
      faults: 'Heures avec un défaut',
      noFaults: 'Aucune heure avec un défaut.',
    },
    day: {
      legend: 'Chaque barre est un jour en UTC ; sa partie basse montre la part de ce jour où le site était en défaut.',
      unit: 'Jour',
      ago: (n) => `il y a ${counted(n, 'jour', 'jours')}`,
      now: 'aujourd’hui',
      label: (n, up, bad) =>
        `${counted(n, 'dernier jour', 'derniers jours')} : ${up}. ${bad === 0 ? 'Aucun jour avec un défaut.' : `${counted(bad, 'jour', 'jours')} avec un défaut.`}`,
      faults: 'Jours avec un défaut',
      noFaults: 'Aucun jour avec un défaut.',
    },
  },
  upLegend:
    'Disponible veut dire que les visiteurs voyaient le site ; la maintenance et les moments dont on ne sait rien ne comptent pas.',
  periodKinds: {
    none: 'aucun contrôle n’a eu lieu',
    maintenance: 'maintenance',
    unknown: 'rien n’a pu être établi',
    well: 'aucun défaut',
  },
  badRounds: {
    down: (count, total) => `hors service à ${number(count)} sur ${runs(total)}`,
    degraded: (count, total) => `dégradé à ${number(count)} sur ${runs(total)}`,
    stale: (count, total) => `périmé à ${number(count)} sur ${runs(total)}`,
  },

  response: { hour: 'Temps de réponse de la dernière heure', day: 'Temps de réponse des dernières 24 heures' },
  noResponse: 'Aucune réponse n’a été reçue pendant cette période.',
  lastChecks: 'Derniers contrôles',
  fullCheck: 'contrôle complet',
  responseTime: 'Temps de réponse',
  responseSummary: (mean, slowest, at) =>
    `En moyenne ${mean} ; la réponse la plus lente a pris ${slowest}, à ${at} UTC.`,
  responseKeys: { mean: 'moyenne', p95: '95e centile', bad: 'n’allait pas bien', maintenance: 'maintenance' },
  byHour: 'Par heure',
  hour: 'Heure',
  slowest: 'la plus lente',

  incidentsNow: 'Incidents en cours',
  pastIncidents: 'Incidents passés',
  allIncidents: 'Tous les incidents',
  noIncidents: (days) => `Il n’y a eu aucun incident au cours des ${number(days)} derniers jours.`,
  leftOut: (count) => `… et ${number(count)} de plus`,
  mostTold: (count) => `Les ${number(count)} derniers sont affichés.`,
  recovered: (title) => `${title}, rétabli`,
  incidentTitles: {
    unstable: (site) => `${site} : instable`,
    down: (site) => `${site} : hors service`,
    degraded: (site) => `${site} : dégradé`,
    stale: (site) => `${site} : périmé`,
  },
  clocks: { started: 'Début', detected: 'Détection', notified: 'Alerte', recovered: 'Rétablissement' },
  startedNotes: {
    'good-round': 'dernière vérification bonne',
    'maintenance-end': 'fin de la maintenance',
    'first-bad-round': 'première vérification qui l’a trouvé',
    'up-round': 'dernière vérification sans panne',
    'outage-end': 'fin de la panne',
  },
  notYet: 'pas encore',
  nobodyNotified: 'personne n’a été alerté',
  notifiedWith: 'avec l’incident de même cause',
  later: (duration) => `après ${duration}`,
  fromDetection: (duration) => `${duration} (depuis la détection)`,
  met: (duration, rto) => `rétabli en ${duration}, objectif ${rto} : atteint`,
  missed: (duration, rto) => `rétabli en ${duration}, objectif ${rto} : manqué`,
  openWithin: (duration, rto) => `ouvert depuis ${duration}, objectif ${rto} : peut encore être atteint`,
  openBeyond: (duration, rto) => `ouvert depuis ${duration}, objectif ${rto} : manqué`,
  whatFails: 'Ce qui ne va pas, et que faire',
  whatFailed: 'Ce qui n’allait pas, et ce qu’il fallait faire',
  deploy: 'Déploiement suspect :',
  deployBefore: 'avant lui',
  deploySeen: 'vu pour la première fois le',
  flapping: 'Le site tombe et revient sans cesse.',
  unsteady: 'instable',
  said: (checks, what) => `${checks} : ${what}`,
  sameAs: 'La même cause que',

  maintenance: 'Maintenance',
  goesOn: 'En cours',

  allSites: 'Tous les sites',
  notFound: 'Cette page n’existe pas',
  notFoundHint: 'L’adresse est peut-être erronée, le site n’est plus surveillé, ou l’incident est trop ancien.',
  badge: 'Badge',
  follow: 'Suivre',
  madeBy: 'Surveillé par docvitals. Toutes les heures sont en UTC.',

  site: 'Site',
  until: 'jusqu’au',
  exported: (files, folder) => `${counted(files, 'fichier écrit', 'fichiers écrits')} dans ${folder}.`,
  removed: (files) => `${counted(files, 'fichier d’avant supprimé', 'fichiers d’avant supprimés')}.`,

  badgeLabel: 'état',
  feedRecovered: (site) => `${site} : rétabli`,
  feedDescription: 'Incidents et rétablissements',
};
