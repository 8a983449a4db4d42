import type { ExampleWords } from './words.ts';

export const words: ExampleWords = {
  about: {
    'systemd-service': 'le moniteur en service systemd aux droits restreints',
    'systemd-timer': 'un tour par minute, lancé par un timer systemd',
    dockerfile: 'le moniteur dans un conteneur, avec son contrôle de santé',
    'docker-compose': 'le conteneur et son volume, avec Docker Compose',
    'kubernetes-deployment': 'le moniteur en Deployment, avec son disque, ses sondes et son Service',
    'kubernetes-cronjob': 'un tour par minute, lancé par un CronJob',
    prometheus: 'Prometheus : ce qu’il demande au moniteur, et des règles d’alerte',
    alertmanager: 'Alertmanager : à qui le dire, et ce qui va sans dire',
    grafana: 'un tableau de bord Grafana du moniteur et de ses sites',
  },
  hint: 'docvitals example <nom> en affiche un ; --out <dossier> écrit ses fichiers.',
};
