import type { ExampleWords } from './words.ts';

export const words: ExampleWords = {
  about: {
    'systemd-service': 'monitorul ca serviciu systemd cu drepturi restrânse',
    'systemd-timer': 'o rundă pe minut, pornită de un timer systemd',
    dockerfile: 'monitorul într-un container, cu verificarea sănătății sale',
    'docker-compose': 'containerul cu volumul său, prin Docker Compose',
    'kubernetes-deployment': 'monitorul ca Deployment, cu discul, sondele și Service-ul său',
    'kubernetes-cronjob': 'o rundă pe minut, pornită de un CronJob',
    prometheus: 'Prometheus: ce să ceară monitorului și reguli de alertă',
    alertmanager: 'Alertmanager: cui i se spune și ce nu mai trebuie spus',
    grafana: 'un tablou de bord Grafana al monitorului și al site-urilor lui',
  },
  hint: 'docvitals example <nume> afișează unul; --out <dosar> îi scrie fișierele.',
};
