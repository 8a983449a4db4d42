import type { ExampleWords } from './words.ts';

export const words: ExampleWords = {
  about: {
    'systemd-service': 'the monitor as a hardened systemd service',
    'systemd-timer': 'a round every minute by a systemd timer',
    dockerfile: 'the monitor in a container, with its health check',
    'docker-compose': 'the container with its volume, by Docker Compose',
    'kubernetes-deployment': 'the monitor as a Deployment, with its disk, probes and Service',
    'kubernetes-cronjob': 'a round every minute by a CronJob',
    prometheus: 'Prometheus: what to ask the monitor for, and alert rules',
    alertmanager: 'Alertmanager: whom to tell, and what goes without saying',
    grafana: 'a Grafana dashboard of the monitor and its sites',
  },
  hint: 'docvitals example <name> prints one; --out <dir> writes its files.',
};
