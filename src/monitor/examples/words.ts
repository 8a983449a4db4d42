import type { ExampleName } from './examples.ts';
import type { Language } from '../../texts.ts';

/** What `docvitals example` says, in one language. */
export interface ExampleWords {
  /** What each example is, on one line. */
  readonly about: Readonly<Record<ExampleName, string>>;
  /** How to print one and how to write it. */
  readonly hint: string;
}

const en: ExampleWords = {
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

const ro: ExampleWords = {
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

const fr: ExampleWords = {
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

const WORDS: Readonly<Record<Language, ExampleWords>> = { en, ro, fr };

/** The words of one language. */
export function exampleWords(language: Language): ExampleWords {
  return WORDS[language];
}
