import type { AlertWords } from './words.ts';

const VERDICTS = { down: 'en panne', degraded: 'dégradé', stale: 'pas à jour' } as const;

export const words: AlertWords = {
  units: { day: 'j', hour: 'h', minute: 'min', second: 's' },
  decimal: ',',
  colon: ' : ',
  subject(event, verdict, site, lasting) {
    if (event === 'recovered') return `${site} est rétabli après ${lasting}`;
    if (event === 'opened')
      return verdict === 'stale' ? `${site} n’est ${VERDICTS[verdict]}` : `${site} est ${VERDICTS[verdict]}`;
    return verdict === 'stale'
      ? `${site} n’est toujours ${VERDICTS[verdict]}, depuis ${lasting}`
      : `${site} est toujours ${VERDICTS[verdict]}, depuis ${lasting}`;
  },
  upAgain: (verdict, site, lasting) => `${site} n’est plus en panne après ${lasting}, mais ${VERDICTS[verdict]}`,
  test: '[TEST]',
  testNote: 'Ceci est un test de la route d’alerte. Le site n’a rien.',
  meaning: {
    down: 'Les visiteurs voient une page blanche.',
    degraded: 'Le site s’ouvre, mais une partie ne fonctionne pas.',
    stale: 'Le site fonctionne, mais ce qui est en ligne n’est pas la version attendue.',
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
    `rétabli en ${duration}, objectif ${objective} : ${isMet ? 'tenu' : 'manqué'}`,
  objective: (objective, isPassed) =>
    isPassed ? `objectif ${objective} : déjà manqué` : `objectif : rétabli en ${objective} au plus`,
  fromDetection: (duration) => `${duration} (depuis la détection)`,
  labels: {
    site: 'Site',
    checks: 'Vérifications',
    codes: 'Constats',
    started: 'Vu en bon état',
    maintained: 'Fin de la maintenance',
    seenFirst: 'Première constatation',
    seenUp: 'Vu sans panne',
    outageEnded: 'Fin de la panne',
    detected: 'Détecté',
    notified: 'Première alerte',
    recovered: 'Rétabli',
    incident: 'Incident',
    fix: 'Que faire',
    seen: 'Ce qui a été vu',
    statusPage: 'Page d’état',
    openSite: 'Ouvrir le site',
  },
  also: (sites) => `La même cause touche aussi : ${sites.join(', ')}.`,
  deploy: (version, before, seenAt) =>
    `Déploiement suspecté : ${version}${before === null ? '' : ` à la place de ${before}`}, vu pour la première fois ${seenAt}.`,
  flapping: 'Le site tombe et revient sans cesse ; il compte comme rétabli quand il reste en bon état un moment.',
  more: (count) => (count === 1 ? '… et 1 constat de plus' : `… et ${count} constats de plus`),
  sentBy: 'Envoyé par le moniteur docvitals.',
  command: {
    sent: (route, channel, took) => `${route} (${channel}) : envoyé en ${took}`,
    notSent: (route, channel, took, error) => `${route} (${channel}) : non envoyé après ${took} : ${error}`,
    noneWaits: 'Aucune alerte n’attend d’être envoyée.',
    others: (count) =>
      count === 1 ? '1 autre alerte attend derrière.' : `${count} autres alertes attendent derrière.`,
    soon: 'dès que possible',
    heads: ['Route', 'Alerte', 'Site', 'Prochain essai', 'Essais', 'Erreur'],
  },
  issueChanged(added, gone) {
    const parts = [
      ...(added.length === 0 ? [] : [`Nouveau : ${added.join(', ')}.`]),
      ...(gone.length === 0 ? [] : [`Disparu : ${gone.join(', ')}.`]),
    ];
    return parts.join(' ');
  },
  issueReopened: 'Rouvert : le site n’est pas encore en bon état.',
  issueRecovered: 'Le site est rétabli, ce ticket est donc fermé.',
};
