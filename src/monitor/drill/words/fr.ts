import type { DrillWords } from './words.ts';

export const words: DrillWords = {
  language: 'fr',
  title: (source, commit) => `Exercice de reprise : ${source}${commit === null ? '' : `, commit ${commit}`}`,
  place: (site, url) => (site === null ? url : `${site} sur ${url}`),
  steps: {
    clone: 'clonage',
    copy: 'copie',
    serve: 'mise en service',
    deploy: 'déploiement',
    'first-answer': 'première réponse',
    healthy: 'sain',
  },
  total: 'au total',
  doing: {
    clone: 'clonage du dépôt',
    copy: 'copie du dossier',
    serve: 'démarrage de l’hôte de référence',
    deploy: 'exécution de la commande de déploiement',
    'first-answer': 'attente de la première réponse',
    healthy: 'attente d’un site sain',
  },
  recovered: (total, objective, verdict) => `rétabli en ${total}, objectif ${objective} : ${verdict}`,
  notRecovered: (total, objective, verdict) => `non rétabli après ${total}, objectif ${objective} : ${verdict}`,
  unknown: (total) => `terminé après ${total} : on ne sait pas si l’objectif peut être atteint`,
  met: 'atteint',
  notMet: 'non atteint',
  failures: {
    'no-git': 'Git n’a pas pu être lancé.',
    'no-room': 'Il n’y a pas de place pour les fichiers sur cette machine.',
    'clone-failed': 'Le dépôt n’a pas pu être cloné.',
    'copy-failed': 'Le dossier n’a pas pu être copié.',
    'no-site': 'Aucun site n’a été trouvé : aucun dossier n’a un index.html accompagné de Markdown.',
    'no-folder': 'Le dossier que nomme --folder n’existe pas.',
    'cannot-serve': 'L’hôte de référence n’a pas pu démarrer.',
    'deploy-failed': 'La commande de déploiement a échoué.',
    'time-up': 'Le temps est écoulé.',
    'no-answer': 'L’hôte n’a envoyé aucun fichier du site.',
    'not-healthy': 'Le site n’est pas sain.',
    'not-told': 'Cette machine n’a pas pu dire si le site est sain.',
  },
  fixes: {
    'no-git': 'Installez Git, ou donnez un simple dossier avec --source.',
    'no-room': 'Faites de la place dans le dossier des fichiers temporaires (TMPDIR).',
    'clone-failed': 'Vérifiez l’adresse, la branche et l’accès : une reprise en a besoin aussi.',
    'copy-failed': 'Vérifiez que chacun de ses fichiers peut être lu.',
    'no-site':
      'Nommez le dossier avec --folder ; si le site doit d’abord être construit, construisez-le et déployez-le avec --deploy.',
    'no-folder': 'Écrivez-le par rapport à la racine de ce qui est cloné.',
    'cannot-serve': 'Voyez ce qui empêche un serveur d’écouter sur 127.0.0.1.',
    'deploy-failed': 'Corrigez la commande, puis recommencez l’exercice.',
    'time-up': 'Cherchez ce qui prend tant de temps, ou accordez-en davantage avec --deadline.',
    'no-answer': 'Vérifiez l’adresse, et que la commande de déploiement y apporte les fichiers.',
    'not-healthy': '',
    'not-told': 'Voyez ce que les vérifications disent de cette machine, puis recommencez l’exercice.',
  },
  notes: {
    uncommitted: (count) =>
      count === 1
        ? '1 fichier de l’arbre de travail n’est pas dans le dépôt tel quel : une reprise ne l’aurait pas.'
        : `${count} fichiers de l’arbre de travail ne sont pas dans le dépôt tels quels : une reprise ne les aurait pas.`,
    submodules: 'Le dépôt a des sous-modules, qui ne sont pas clonés.',
    'answered-before':
      'Cette adresse avait déjà un site : c’est un redéploiement qui a été mesuré, pas une reprise à partir de rien.',
    'not-compared': 'Ce qui est en ligne n’a pas été comparé à ce qui a été cloné : on en connaît seulement la santé.',
  },
  output: 'Les dernières lignes de la commande :',
  kept: (folder) => `Ce qui a été cloné reste dans ${folder}`,
  stopped: 'Arrêté avant la fin.',
};
