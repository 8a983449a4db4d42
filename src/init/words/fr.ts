import type { InitWords } from './words.ts';

export const words: InitWords = {
  foundSite(folder, engine) {
    if (folder === null) return 'Site : introuvable (aucun dossier n’a d’index.html accompagné de Markdown)';
    return `Site : ${folder}${engine === null ? '' : ` (${engine})`}`;
  },
  foundHost: (provider, sign) =>
    provider === null ? 'Hébergement : rien ne l’indique' : `Hébergement : ${provider} (${sign})`,
  foundRepository(name, branch) {
    const of = branch === null ? '' : `, branche ${branch}`;
    return name === null ? `Dépôt : aucun dépôt distant connu${of}` : `Dépôt : ${name}${of}`;
  },
  outsideRepository: 'Dépôt : aucun, ce dossier n’est pas dans Git',

  askLanguage: 'Langue des rapports',
  askUrl: 'Adresse du site',
  askHost: 'Qu’est-ce qui sert le site ?',
  hosts: {
    server: 'un simple serveur web',
    platform: 'une plateforme d’hébergement',
    worker: 'un worker en périphérie (edge)',
  },
  hostUnknown: 'je ne sais pas (docvitals le découvre)',
  askWorkflows: 'Quand GitHub doit-il vérifier le site ? (Espace sélectionne)',
  workflows: {
    pages: 'après chaque déploiement sur GitHub Pages, que ce workflow fait aussi',
    'deployment-status': 'après chaque déploiement signalé par Vercel, Netlify ou Cloudflare',
    dispatch: 'quand une plateforme ou un script envoie un événement',
    nightly: 'chaque nuit ; un ticket dit ce qui ne va pas',
  },
  askHosting: (host) => `Écrire aussi la configuration de l’hébergement (${host}) ?`,
  askWrite: 'Écrire ces fichiers ?',
  yes: 'Oui',
  no: 'Non',
  cancelled: 'Rien n’a été écrit.',

  planned: (root) => `Fichiers dans ${root} :`,
  states: { new: 'nouveau', unchanged: 'inchangé', exists: 'existe, conservé', replaced: 'existe, remplacé' },
  leftAlone: 'Ce qui existe est conservé ; --force le remplace.',
  dryRun: 'Rien n’a été écrit (--dry-run).',
  nothingToWrite: 'Il n’y a rien à écrire.',
  written: (count) => (count === 1 ? '1 fichier écrit.' : `${count} fichiers écrits.`),

  configured: (file) => `${file} est déjà la configuration : aucun docvitals.yaml n’est écrit.`,
  paste: (file) => `${file} déploie déjà sur GitHub Pages. Ajoutez-y cette tâche :`,
  command: (forge) =>
    forge === null
      ? 'Aucun dépôt sur GitHub n’a été trouvé : aucun workflow n’est écrit. Après chaque déploiement, exécutez :'
      : `${forge} n’exécute pas les workflows de GitHub : aucun n’est écrit. Après chaque déploiement, sa CI doit exécuter :`,
  afterwards: {
    pages: 'GitHub Pages : dans les réglages du dépôt, sous Pages, choisissez « GitHub Actions » comme source.',
    'deployment-status':
      'Déploiements : l’application GitHub de la plateforme doit être installée pour ce dépôt. Là où les déploiements sont protégés, les commentaires du workflow montrent l’en-tête qui laisse entrer la vérification.',
    dispatch: 'Événements : les commentaires du workflow montrent comment une plateforme envoie l’événement.',
    nightly: 'Chaque nuit : cela commence dès que le workflow est sur la branche par défaut.',
  },
  next: (command) => `Essayez : ${command}`,
};
