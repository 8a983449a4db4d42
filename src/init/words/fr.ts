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
  address: (url, origin) => `Adresse : ${url}${origin === null ? '' : ` (${origin})`}`,
  guessed: (provider) => `supposition : ${provider}`,

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
    push: 'après chaque push, dès que Netlify, Cloudflare ou une autre plateforme l’a déployé',
    'deployment-status': 'après chaque déploiement qu’une plateforme signale à GitHub, comme Vercel',
    dispatch: 'quand une plateforme ou un script envoie un événement',
    nightly: 'chaque nuit ; un ticket dit ce qui ne va pas',
  },
  askHosting: (host) => `Écrire aussi la configuration de l’hébergement (${host}) ?`,
  askMonitor: 'Surveiller aussi le site en continu avec le moniteur ?',
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
  paste: (file) => `${file} déploie déjà sur GitHub Pages. Ajoutez-y cette tâche, à la place de tout \`sleep\` :`,
  command: (forge) =>
    forge === null
      ? 'Aucun dépôt sur GitHub n’a été trouvé : aucun workflow n’est écrit. Après chaque déploiement, exécutez :'
      : `${forge} n’exécute pas les workflows de GitHub : aucun n’est écrit. Après chaque déploiement, sa CI doit exécuter :`,
  noHosting: (provider) =>
    `Hébergement : docvitals n’a pas de configuration pour ${provider} : aucune n’est écrite. Voyez ce qui existe : docvitals hosting --help`,
  hosting: (file, command) => `Ce que ${file} doit dire, et pourquoi : ${command}`,
  deployedFolder: (file, base) =>
    base === null
      ? `${file} : indiquez le dossier qui est déployé ; il n’a pas été trouvé.`
      : `${file} : indiquez le dossier qui est déployé ; le site doit se trouver dessous, dans ${base}`,
  afterwards: {
    pages: 'GitHub Pages : dans les réglages du dépôt, sous Pages, choisissez « GitHub Actions » comme source.',
    push: 'Push : la plateforme doit déployer cette branche à l’adresse vérifiée ; la vérification l’attend.',
    'deployment-status':
      'Déploiements : l’application GitHub de la plateforme doit être installée pour ce dépôt. Là où les déploiements sont protégés, les commentaires du workflow montrent l’en-tête qui laisse entrer la vérification.',
    dispatch: 'Événements : les commentaires du workflow montrent comment une plateforme envoie l’événement.',
    nightly: 'Chaque nuit : cela commence dès que le workflow est sur la branche par défaut.',
  },
  unreachable: (url, isWritten) =>
    isWritten
      ? `GitHub ne peut pas atteindre ${url} : ces workflows échouent tant qu’eux-mêmes et docvitals.yaml n’indiquent pas l’adresse publique.`
      : `Aucun workflow n’est écrit, car GitHub ne peut pas atteindre ${url}. Quand le site aura une adresse publique, relancez docvitals init avec --url.`,
  monitor: (command) =>
    `Le moniteur contrôle le site en continu, envoie des notifications et sert une page d’état. Démarrez-le : ${command}`,
  monitorOffer: (command) =>
    `Pour que le site soit contrôlé en continu, avec des notifications et une page d’état, démarrez le moniteur : ${command}`,
  next: (command) => `Essayez : ${command}`,
};
