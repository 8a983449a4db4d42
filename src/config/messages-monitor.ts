import { near } from './messages-near.ts';
import type { Sentences } from './messages-value.ts';
import type { ExpectedKind } from './problem.ts';

/** What is wrong with what the file says of the monitor. */
export const MONITOR_SENTENCES = {
  'monitor-id': {
    en: () => 'expected lower-case words joined with hyphens, at most 64 characters, such as docs',
    ro: () => 'se așteaptă cuvinte cu litere mici legate prin cratimă, cel mult 64 de caractere, de exemplu docs',
    fr: () =>
      'des mots en minuscules reliés par des traits d’union, 64 caractères au plus, sont attendus, par exemple docs',
  },
  schedule: {
    en: () => 'expected a mapping with `every` or `cron`, or false for never',
    ro: () => 'se așteaptă o mapare cu `every` sau `cron`, ori false pentru niciodată',
    fr: () => 'un dictionnaire avec `every` ou `cron`, ou false pour jamais, est attendu',
  },
  cron: {
    en: () => 'expected a cron expression such as */5 * * * * (minute, hour, day, month, day of the week)',
    ro: () => 'se așteaptă o expresie cron, de exemplu */5 * * * * (minut, oră, zi, lună, ziua săptămânii)',
    fr: () => 'une expression cron est attendue, par exemple */5 * * * * (minute, heure, jour, mois, jour de semaine)',
  },
  'cron-never': {
    en: () => 'this cron expression never comes true: there is no such day',
    ro: () => 'această expresie cron nu se împlinește niciodată: nu există o astfel de zi',
    fr: () => 'cette expression cron ne se réalise jamais\u00a0: un tel jour n’existe pas',
  },
  time: {
    en: () => 'expected a time with its zone, such as 2026-12-01T22:00:00Z or 2026-12-01T23:00:00+01:00',
    ro: () => 'se așteaptă o oră cu fusul ei, de exemplu 2026-12-01T22:00:00Z sau 2026-12-01T23:00:00+01:00',
    fr: () => 'une heure avec son fuseau est attendue, par exemple 2026-12-01T22:00:00Z ou 2026-12-01T23:00:00+01:00',
  },
  'time-zone': {
    en: ({ name, nearest }) =>
      `there is no time zone \`${name}\`${near.en(nearest)}; expected a name such as Europe/Paris`,
    ro: ({ name, nearest }) =>
      `nu există fusul orar \`${name}\`${near.ro(nearest)}; se așteaptă un nume, de exemplu Europe/Bucharest`,
    fr: ({ name, nearest }) =>
      `le fuseau horaire \`${name}\` n’existe pas${near.fr(nearest)}\u00a0; un nom est attendu, par exemple Europe/Paris`,
  },
  'time-order': {
    en: () => 'expected a time after `from`',
    ro: () => 'se așteaptă o oră de după `from`',
    fr: () => 'une heure postérieure à `from` est attendue',
  },
  'longer-than': {
    en: ({ name }) => `expected a duration that is no longer than \`${name}\``,
    ro: ({ name }) => `se așteaptă o durată care nu depășește \`${name}\``,
    fr: ({ name }) => `une durée qui ne dépasse pas \`${name}\` est attendue`,
  },
  listen: {
    en: () => 'expected host:port, such as 127.0.0.1:9464 or [::1]:9464',
    ro: () => 'se așteaptă gazdă:port, de exemplu 127.0.0.1:9464 sau [::1]:9464',
    fr: () => 'hôte:port est attendu, par exemple 127.0.0.1:9464 ou [::1]:9464',
  },
  'host-port': {
    en: () => 'expected host:port, such as 192.0.2.1:443',
    ro: () => 'se așteaptă gazdă:port, de exemplu 192.0.2.1:443',
    fr: () => 'hôte:port est attendu, par exemple 192.0.2.1:443',
  },
  'probe-target': {
    en: () =>
      'expected an http or https URL, a host such as docs.example.com or *.example.com, or a network such as 10.0.0.0/8',
    ro: () =>
      'se așteaptă un URL http sau https, o gazdă, de exemplu docs.example.com sau *.example.com, ori o rețea, de exemplu 10.0.0.0/8',
    fr: () =>
      'une URL http ou https, un hôte comme docs.example.com ou *.example.com, ou un réseau comme 10.0.0.0/8 est attendu',
  },
  'ntfy-topic': {
    en: () => 'expected the address of a topic, such as https://ntfy.sh/my-topic',
    ro: () => 'se așteaptă adresa unui subiect (topic), de exemplu https://ntfy.sh/my-topic',
    fr: () => 'l’adresse d’un sujet (topic) est attendue, par exemple https://ntfy.sh/my-topic',
  },
  'mail-server': {
    en: () => 'expected the address of a mail server, such as smtp://mail.example.com:587 or smtps://mail.example.com',
    ro: () =>
      'se așteaptă adresa unui server de e-mail, de exemplu smtp://mail.example.com:587 sau smtps://mail.example.com',
    fr: () =>
      'l’adresse d’un serveur de messagerie est attendue, par exemple smtp://mail.example.com:587 ou smtps://mail.example.com',
  },
  'mail-address': {
    en: () => 'expected an e-mail address such as ops@example.com',
    ro: () => 'se așteaptă o adresă de e-mail, de exemplu ops@example.com',
    fr: () => 'une adresse de courriel est attendue, par exemple ops@example.com',
  },
  'mail-addresses': {
    en: () => 'expected an e-mail address such as ops@example.com, or a list of them',
    ro: () => 'se așteaptă o adresă de e-mail, de exemplu ops@example.com, sau o listă de adrese',
    fr: () => 'une adresse de courriel, par exemple ops@example.com, ou une liste d’adresses est attendue',
  },
  repository: {
    en: () => 'expected owner/name of a repository on GitHub, such as example/docs',
    ro: () => 'se așteaptă proprietar/nume al unui depozit de pe GitHub, de exemplu example/docs',
    fr: () => 'propriétaire/nom d’un dépôt sur GitHub est attendu, par exemple example/docs',
  },
  program: {
    en: () => 'expected a list that is not empty: the program, then its arguments',
    ro: () => 'se așteaptă o listă nevidă: programul, apoi argumentele lui',
    fr: () => 'une liste non vide est attendue\u00a0: le programme, puis ses arguments',
  },
  'one-key': {
    en: ({ values }) => `expected exactly one of the keys ${values.join(', ')}`,
    ro: ({ values }) => `se așteaptă exact una dintre cheile ${values.join(', ')}`,
    fr: ({ values }) => `exactement une des clés ${values.join(', ')} est attendue`,
  },
  'both-keys': {
    en: ({ name, other }) => `\`${name}\` and \`${other}\` exclude each other`,
    ro: ({ name, other }) => `\`${name}\` și \`${other}\` se exclud reciproc`,
    fr: ({ name, other }) => `\`${name}\` et \`${other}\` s’excluent mutuellement`,
  },
  'site-twice': {
    en: ({ name }) => `another site already has the id \`${name}\``,
    ro: ({ name }) => `alt site are deja id-ul \`${name}\``,
    fr: ({ name }) => `un autre site a déjà l’id \`${name}\``,
  },
  'route-twice': {
    en: ({ name }) => `another alert route already has the id \`${name}\``,
    ro: ({ name }) => `altă rută de alertă are deja id-ul \`${name}\``,
    fr: ({ name }) => `une autre route d’alerte a déjà l’id \`${name}\``,
  },
  'unknown-route': {
    en: ({ name, nearest }) => `there is no alert route \`${name}\`${near.en(nearest)}`,
    ro: ({ name, nearest }) => `nu există ruta de alertă \`${name}\`${near.ro(nearest)}`,
    fr: ({ name, nearest }) => `la route d’alerte \`${name}\` n’existe pas${near.fr(nearest)}`,
  },
  'module-built-in': {
    en: ({ name }) => `\`${name}\` is there already: choose another name`,
    ro: ({ name }) => `\`${name}\` există deja: alegeți alt nume`,
    fr: ({ name }) => `\`${name}\` existe déjà\u00a0: choisissez un autre nom`,
  },
  'no-quick-check': {
    en: () =>
      'this leaves no check for the frequent rounds: a site is watched by one of the five, or by one of its own',
    ro: () =>
      'nu rămâne nicio verificare pentru rundele dese: un site este urmărit prin una dintre cele cinci sau una proprie',
    fr: () =>
      'il ne reste aucune vérification pour les rondes fréquentes\u00a0: un site est surveillé par une des cinq ou par une qui lui est propre',
  },
} as const satisfies { readonly [Kind in ExpectedKind]?: Sentences<Kind> };
