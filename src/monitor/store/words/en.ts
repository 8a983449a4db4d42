import type { StoreWords } from './words.ts';

export const words: StoreWords = {
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
