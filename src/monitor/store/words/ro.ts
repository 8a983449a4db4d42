import type { StoreWords } from './words.ts';

export const words: StoreWords = {
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
