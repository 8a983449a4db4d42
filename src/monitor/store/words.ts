import type { StoreProblem } from './store.ts';
import type { Language } from '../../texts.ts';

/** A monitor that has the database; `since`: ISO 8601. */
export interface OwnerFacts {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** What is said of databases, in one language. All strings come printable. */
export interface StoreWords {
  /** What is wrong with a database, and what to do. `detail`: the cause as the system names it. */
  readonly problems: Readonly<Record<Exclude<StoreProblem, 'locked'>, (file: string, detail: string) => string>>;
  /** `null`: it is not known who. */
  locked(file: string, owner: OwnerFacts | null): string;
}

const en: StoreWords = {
  problems: {
    full: (file) => `${file}: no room left on the disk. Make room; nothing that was kept is lost.`,
    busy: (file) => `${file}: another program is writing to the database. Try again.`,
    corrupt: (file, detail) =>
      `${file}: the database is damaged (${detail}). The next start of docvitals monitor sets it aside and begins a new one.`,
    newer: (file, detail) =>
      `${file}: a later version of docvitals wrote this database (${detail}). Update docvitals; the file was left as it is.`,
    older: (file, detail) =>
      `${file}: an earlier version of docvitals wrote this database (${detail}). Start docvitals monitor of this version once; it brings it up to date.`,
    foreign: (file, detail) => `${file}: this is no database of docvitals (${detail}). The file was left as it is.`,
    missing: (file) =>
      `${file}: there is no database. docvitals monitor makes it; name another one with --database or monitor.database.`,
    unreadable: (file, detail) => `${file}: the database cannot be opened (${detail}).`,
    'read-only': (file) =>
      `${file}: the database cannot be written to. Check the permissions of the file and its folder.`,
    closed: (file) => `${file}: the database was closed.`,
  },
  locked(file, owner) {
    const who = owner === null ? '' : ` (process ${owner.pid} on ${owner.host}, since ${owner.since})`;
    return `${file}: another monitor is running on this database${who}. Stop it, or use another database.`;
  },
};

const ro: StoreWords = {
  problems: {
    full: (file) => `${file}: discul este plin. Faceți loc; nimic din ce s-a păstrat nu s-a pierdut.`,
    busy: (file) => `${file}: alt program scrie în baza de date. Încercați din nou.`,
    corrupt: (file, detail) =>
      `${file}: baza de date este deteriorată (${detail}). La următoarea pornire, docvitals monitor o pune deoparte și începe una nouă.`,
    newer: (file, detail) =>
      `${file}: baza de date a fost scrisă de o versiune mai nouă de docvitals (${detail}). Actualizați docvitals; fișierul a rămas cum era.`,
    older: (file, detail) =>
      `${file}: baza de date a fost scrisă de o versiune mai veche de docvitals (${detail}). Porniți o dată docvitals monitor din această versiune; el o aduce la zi.`,
    foreign: (file, detail) => `${file}: nu este o bază de date a docvitals (${detail}). Fișierul a rămas cum era.`,
    missing: (file) =>
      `${file}: nu există nicio bază de date. O face docvitals monitor; indicați alta cu --database sau monitor.database.`,
    unreadable: (file, detail) => `${file}: baza de date nu poate fi deschisă (${detail}).`,
    'read-only': (file) =>
      `${file}: în baza de date nu se poate scrie. Verificați permisiunile fișierului și ale dosarului.`,
    closed: (file) => `${file}: baza de date a fost închisă.`,
  },
  locked(file, owner) {
    const who = owner === null ? '' : ` (procesul ${owner.pid} pe ${owner.host}, din ${owner.since})`;
    return `${file}: alt monitor folosește această bază de date${who}. Opriți-l sau folosiți altă bază de date.`;
  },
};

const fr: StoreWords = {
  problems: {
    full: (file) => `${file} : le disque est plein. Faites de la place ; rien de ce qui était gardé n’est perdu.`,
    busy: (file) => `${file} : un autre programme écrit dans la base de données. Réessayez.`,
    corrupt: (file, detail) =>
      `${file} : la base de données est endommagée (${detail}). Au prochain démarrage, docvitals monitor la met de côté et en commence une nouvelle.`,
    newer: (file, detail) =>
      `${file} : une version plus récente de docvitals a écrit cette base de données (${detail}). Mettez docvitals à jour ; le fichier est resté tel quel.`,
    older: (file, detail) =>
      `${file} : une version plus ancienne de docvitals a écrit cette base de données (${detail}). Démarrez une fois docvitals monitor de cette version ; il la met à jour.`,
    foreign: (file, detail) =>
      `${file} : ce n’est pas une base de données de docvitals (${detail}). Le fichier est resté tel quel.`,
    missing: (file) =>
      `${file} : il n’y a pas de base de données. docvitals monitor la crée ; indiquez-en une autre avec --database ou monitor.database.`,
    unreadable: (file, detail) => `${file} : la base de données ne peut pas être ouverte (${detail}).`,
    'read-only': (file) =>
      `${file} : la base de données ne peut pas être écrite. Vérifiez les droits du fichier et de son dossier.`,
    closed: (file) => `${file} : la base de données a été fermée.`,
  },
  locked(file, owner) {
    const who = owner === null ? '' : ` (processus ${owner.pid} sur ${owner.host}, depuis ${owner.since})`;
    return `${file} : un autre moniteur utilise cette base de données${who}. Arrêtez-le, ou utilisez une autre base de données.`;
  },
};

const WORDS: Readonly<Record<Language, StoreWords>> = { en, ro, fr };

/** The words of one language. */
export function storeWords(language: Language): StoreWords {
  return WORDS[language];
}
