import type { AlertWords } from './en.ts';

const VERDICTS = { down: 'indisponible', degraded: 'dégradé', stale: 'périmé' } as const;

export const words: AlertWords = {
  units: { day: 'j', hour: 'h', minute: 'min', second: 's' },
  decimal: ',',
  colon: ' : ',
  subject(event, verdict, site, lasting) {
    if (event === 'recovered') return `${site} est rétabli après ${lasting}`;
    return event === 'opened'
      ? `${site} est ${VERDICTS[verdict]}`
      : `${site} est toujours ${VERDICTS[verdict]}, depuis ${lasting}`;
  },
  upAgain: (verdict, site, lasting) => `${site} est de nouveau disponible après ${lasting}, mais ${VERDICTS[verdict]}`,
  test: '[TEST]',
  testNote: 'Ceci est un test de la route de notification. Le site n’a aucun problème.',
  meaning: {
    down: 'Les visiteurs voient une page blanche.',
    degraded: 'Le site s’ouvre, mais une partie ne fonctionne pas.',
    stale: 'Le site fonctionne, mais la version en ligne n’est pas celle qui était attendue.',
  },
  notices: {
    damaged: {
      subject: 'docvitals : la base de données du moniteur était endommagée',
      problem:
        'La base de données a été renommée et une nouvelle a été créée. Les incidents et notifications lisibles ont été copiés ; le reste de l’historique manque, et un incident ouvert peut être notifié de nouveau.',
      fix: 'Vérifiez le disque du moniteur. Le fichier renommé se trouve à côté du nouveau, avec `.corrupt-` et l’heure dans son nom.',
    },
    replaced: {
      subject: 'docvitals : la base de données du moniteur a été supprimée ou remplacée',
      problem:
        'Le fichier de la base de données a été supprimé ou remplacé pendant que le moniteur fonctionnait. Un nouveau fichier a été créé avec tous les incidents et notifications ; l’historique antérieur des temps de réponse manque.',
      fix: 'Arrêtez le moniteur avant de déplacer ou de restaurer sa base de données. Un fichier mis à sa place est conservé à côté, avec `.corrupt-` et l’heure dans son nom.',
    },
  },
  recovered: (duration, objective, isMet) =>
    `rétabli en ${duration}, objectif de temps de rétablissement ${objective} : ${isMet ? 'atteint' : 'manqué'}`,
  objective: (objective, isPassed) =>
    `objectif de temps de rétablissement ${objective}${isPassed ? ' : déjà manqué' : ''}`,
  fromDetection: (duration) => `${duration} (depuis la détection)`,
  labels: {
    site: 'Site',
    checks: 'Contrôles',
    codes: 'Constats',
    started: 'Dernier état opérationnel',
    maintained: 'Fin de la maintenance',
    seenFirst: 'Première exécution en échec',
    seenUp: 'Dernière disponibilité',
    outageEnded: 'Fin de la panne',
    detected: 'Détecté',
    notified: 'Notifié',
    recovered: 'Rétabli',
    incident: 'Incident',
    fix: 'Correctif',
    statusPage: 'Page d’état',
    openSite: 'Ouvrir le site',
  },
  also: (sites) => `La même cause touche aussi : ${sites.join(', ')}.`,
  deploy: (version, before, seenAt) =>
    `Déploiement suspecté : ${version}${before === null ? '' : ` à la place de ${before}`}, vu pour la première fois ${seenAt}.`,
  flapping:
    'Le site devient indisponible et revient sans cesse ; il compte comme rétabli quand il reste opérationnel un moment.',
  more: (count) => (count === 1 ? '… et 1 constat de plus' : `… et ${count} constats de plus`),
  sentBy: 'Envoyé par le moniteur docvitals.',
  command: {
    sent: (route, channel, took) => `${route} (${channel}) : envoyé en ${took}`,
    notSent: (route, channel, took, error) => `${route} (${channel}) : non envoyé après ${took} : ${error}`,
    noneWaits: 'Aucune notification n’attend d’être envoyée.',
    others: (count) => (count === 1 ? '1 autre notification attend.' : `${count} autres notifications attendent.`),
    soon: 'dès que possible',
    heads: ['Route', 'Événement', 'Site', 'Prochaine tentative', 'Tentatives', 'Erreur'],
  },
  issueChanged: (added, gone) =>
    [
      ...(added.length === 0 ? [] : [`Nouveau : ${added.join(', ')}.`]),
      ...(gone.length === 0 ? [] : [`Disparu : ${gone.join(', ')}.`]),
    ].join(' '),
  issueReopened: 'Rouvert : le site n’est pas encore opérationnel.',
  issueRecovered: 'Le site est rétabli, ce ticket est donc fermé.',
};
