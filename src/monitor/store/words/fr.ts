import type { StoreWords } from './words.ts';

export const words: StoreWords = {
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
