import type { Language } from './prose.ts';

/** A content page: its file name without `.md` and its title, in each language. */
export interface Topic {
  readonly section: string;
  readonly name: Readonly<Record<Language, string>>;
  readonly title: Readonly<Record<Language, string>>;
}

/** A folder of pages and its heading in the navigation. */
export interface Section {
  readonly folder: string;
  readonly title: Readonly<Record<Language, string>>;
  readonly topics: readonly Topic[];
}

// One line a page: file name | English | Romanian | French. A line that starts with `#` opens a section.
const TABLE = `
# start | Getting started | Primii pași | Prise en main
first steps | First steps | Primii pași | Premiers pas
install | Installing the server | Instalarea serverului | Installer le serveur
requirements | What you need | Ce vă trebuie | Ce qu'il vous faut
upgrade | Upgrading | Actualizarea | Mettre à jour
uninstall | Removing Tidewater | Dezinstalarea | Désinstaller Tidewater
# stations | Stations | Stații | Stations
add | Adding a station | Adăugarea unei stații | Ajouter une station
calibrate | Calibrating a gauge | Etalonarea unei mire | Étalonner une échelle
sensors | Sensors | Senzori | Capteurs
batteries | Batteries and panels | Baterii și panouri | Batteries et panneaux
offline | Stations that went quiet | Stații care tac | Stations muettes
# data | Readings | Măsurători | Mesures
storage | Where readings are kept | Unde stau măsurătorile | Où sont gardées les mesures
import | Importing old readings | Importul măsurătorilor vechi | Importer d'anciennes mesures
export | Exporting | Exportul | Exporter
retention | How long readings stay | Cât se păstrează | Durée de conservation
backups | Backups | Copii de siguranță | Sauvegardes
# alerts | Alerts | Alerte | Alertes
thresholds | Thresholds | Praguri | Seuils
channels | Where alerts go | Unde ajung alertele | Où vont les alertes
duty | Duty rosters | Grafice de gardă | Tours d'astreinte
acknowledge | Taking over an alert | Preluarea unei alerte | Prendre en charge une alerte
silence | Quiet hours | Ore de liniște | Heures de silence
# maps | Maps | Hărți | Cartes
layers | Layers | Straturi | Couches
tiles | Map tiles | Dale de hartă | Tuiles
markers | Markers | Marcaje | Repères
print | Printing a map | Tipărirea unei hărți | Imprimer une carte
share | Sharing a map | Partajarea unei hărți | Partager une carte
# people | People | Oameni | Personnes
roles | Roles | Roluri | Rôles
invite | Inviting someone | Invitarea cuiva | Inviter quelqu'un
tokens | Access tokens | Jetoane de acces | Jetons d'accès
sign-on | Single sign-on | Autentificare unică | Authentification unique
audit | The audit trail | Jurnalul de audit | Journal d'audit
# api | Programming interface | Interfața de programare | Interface de programmation
overview | How requests look | Cum arată cererile | Forme des requêtes
readings | Reading levels | Citirea nivelurilor | Lire les niveaux
stations | Managing stations | Gestiunea stațiilor | Gérer les stations
errors | Errors | Erori | Erreurs
limits | Rate limits | Limite de cereri | Limites de débit
# operate | Operating | Exploatare | Exploitation
proxy | Behind a reverse proxy | În spatele unui proxy invers | Derrière un proxy inverse
monitoring | Watching the server | Supravegherea serverului | Surveiller le serveur
logs | Logs | Jurnale | Journaux
scaling | More than one server | Mai multe servere | Plusieurs serveurs
recovery | After a failure | După o avarie | Après une panne
# develop | Developing | Dezvoltare | Développement
plugins | Plug-ins | Extensii | Extensions
themes | Themes | Teme | Thèmes
translations | Translations | Traduceri | Traductions
tests | Running the tests | Rularea testelor | Lancer les tests
release | Making a release | Publicarea unei versiuni | Publier une version
# reference | Reference | Referință | Référence
用語集 | Words we use | Termeni folosiți | Vocabulaire
configuration | Configuration file | Fișierul de configurare | Fichier de configuration
commands | Commands | Comenzi | Commandes
formats | File formats | Formate de fișiere | Formats de fichier
changelog | What changed | Ce s-a schimbat | Ce qui a changé
`;

// Names that file servers and links get wrong: diacritics and spaces, beside the CJK name in the table.
const LOCAL_NAMES: Readonly<Record<string, Partial<Record<Language, string>>>> = {
  'first steps': { ro: 'primii pași', fr: 'premiers pas' },
  backups: { ro: 'copii de siguranță' },
  calibrate: { fr: 'étalonner' },
};

function row(line: string): { name: string; title: Record<Language, string> } {
  const [name = '', en = '', ro = '', fr = ''] = line.replace(/^# /, '').split(' | ');
  return { name, title: { en, ro, fr } };
}

function readTable(table: string): Section[] {
  const sections: (Section & { topics: Topic[] })[] = [];
  for (const line of table.trim().split('\n')) {
    const { name, title } = row(line);
    const open = sections.at(-1);
    if (line.startsWith('# ')) sections.push({ folder: name, title, topics: [] });
    else
      open?.topics.push({ section: open.folder, name: { en: name, ro: name, fr: name, ...LOCAL_NAMES[name] }, title });
  }
  return sections;
}

/** Ten sections of five pages each. */
export const SECTIONS: readonly Section[] = readTable(TABLE);
