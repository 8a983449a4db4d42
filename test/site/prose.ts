/** The words of the sample site: sentences that fit any page of a small product's manual, in three languages. */
export type Language = 'en' | 'ro' | 'fr';

export const LANGUAGES = ['en', 'ro', 'fr'] as const satisfies readonly Language[];

/** Labels that the page builder needs. */
export interface Labels {
  readonly language: string;
  readonly manual: string;
  readonly welcome: string;
  readonly before: string;
  readonly settings: string;
  readonly example: string;
  readonly seeAlso: string;
  readonly setting: string;
  readonly fallback: string;
  readonly meaning: string;
  readonly meanings: readonly [string, string, string];
  readonly picture: string;
  readonly draft: string;
}

export const LABELS: Readonly<Record<Language, Labels>> = {
  en: {
    language: 'English',
    manual: 'Tidewater manual',
    welcome: 'Tidewater records the water levels of rivers and ponds and warns people before they rise too far.',
    before: 'Before you begin',
    settings: 'Settings',
    example: 'Example',
    seeAlso: 'See also',
    setting: 'Setting',
    fallback: 'Default',
    meaning: 'Meaning',
    meanings: ['Readings per hour', 'Days kept on the station', 'Centimetres that count as a change'],
    picture: 'The station on the bridge',
    draft: 'not finished yet',
  },
  ro: {
    language: 'Română',
    manual: 'Manualul Tidewater',
    welcome:
      'Tidewater înregistrează nivelul apei în râuri și lacuri și avertizează oamenii înainte ca apa să crească prea mult.',
    before: 'Înainte de a începe',
    settings: 'Setări',
    example: 'Exemplu',
    seeAlso: 'Vedeți și',
    setting: 'Setare',
    fallback: 'Implicit',
    meaning: 'Semnificație',
    meanings: ['Măsurători pe oră', 'Zile păstrate în stație', 'Centimetri care contează ca schimbare'],
    picture: 'Stația de pe pod',
    draft: 'încă neterminat',
  },
  fr: {
    language: 'Français',
    manual: 'Manuel de Tidewater',
    welcome: "Tidewater enregistre le niveau des rivières et des étangs et prévient avant que l'eau ne monte trop.",
    before: 'Avant de commencer',
    settings: 'Réglages',
    example: 'Exemple',
    seeAlso: 'Voir aussi',
    setting: 'Réglage',
    fallback: 'Par défaut',
    meaning: 'Signification',
    meanings: ['Mesures par heure', 'Jours gardés dans la station', 'Centimètres qui comptent comme un changement'],
    picture: 'La station du pont',
    draft: 'pas encore terminé',
  },
};

/** `{page}` is the page's title, `{n}` a number from 2 to 12. */
export const SENTENCES: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'The page *{page}* is for whoever looks after the gauges on site.',
    'Tidewater reads every gauge {n} times an hour and keeps each reading with its own time stamp.',
    'A change takes effect with the next reading, so nothing has to be restarted.',
    'When the network is down, a station keeps up to {n} days of readings and sends them later.',
    'The values in the table are the ones that we run ourselves; most sites never change them.',
    'Write down what you changed and why: the next person on duty will be glad of it.',
    'Water levels are given in centimetres above the zero of the gauge, never above sea level.',
    'An administrator sees all stations; everyone else sees the stations of their own basin.',
    'The command prints one line per station and ends with an error when one of them did not answer.',
    'Times are stored in UTC and shown in the time zone of the reader.',
    'Make sure that the server can be reached over **HTTPS** from the place where the gauge stands.',
    'What is described here has worked the same way since version {n}.0.',
  ],
  ro: [
    'Pagina *{page}* se adresează celor care au grijă de mirele hidrometrice la fața locului.',
    'Tidewater citește fiecare miră de {n} ori pe oră și păstrează fiecare măsurătoare cu ora ei.',
    'O schimbare are efect la următoarea măsurătoare, așa că nu trebuie repornit nimic.',
    'Când rețeaua este căzută, stația păstrează până la {n} zile de măsurători și le trimite mai târziu.',
    'Valorile din tabel sunt cele pe care le folosim și noi; cele mai multe situri nu le schimbă niciodată.',
    'Notați ce ați schimbat și de ce: următoarea persoană de gardă vă va mulțumi.',
    'Nivelul apei este dat în centimetri deasupra zeroului mirei, niciodată deasupra nivelului mării.',
    'Un administrator vede toate stațiile; ceilalți văd stațiile din bazinul lor.',
    'Comanda afișează câte un rând pentru fiecare stație și se termină cu o eroare dacă una nu a răspuns.',
    'Orele sunt păstrate în UTC și afișate în fusul orar al cititorului.',
    'Asigurați-vă că serverul este accesibil prin **HTTPS** din locul în care se află mira.',
    'Ce este descris aici funcționează la fel începând cu versiunea {n}.0.',
  ],
  fr: [
    'La page *{page}* est destinée à ceux qui veillent sur les échelles limnimétriques sur place.',
    'Tidewater lit chaque échelle {n} fois par heure et garde chaque mesure avec son horodatage.',
    "Un changement prend effet à la mesure suivante : il n'y a rien à redémarrer.",
    "Quand le réseau est coupé, une station garde jusqu'à {n} jours de mesures et les envoie plus tard.",
    'Les valeurs du tableau sont celles que nous utilisons nous-mêmes ; la plupart des sites ne les changent jamais.',
    "Notez ce que vous avez changé et pourquoi : la personne d'astreinte suivante vous en saura gré.",
    "Les niveaux sont donnés en centimètres au-dessus du zéro de l'échelle, jamais au-dessus du niveau de la mer.",
    'Un administrateur voit toutes les stations ; les autres voient celles de leur bassin.',
    "La commande affiche une ligne par station et se termine par une erreur si l'une d'elles n'a pas répondu.",
    'Les heures sont conservées en UTC et affichées dans le fuseau horaire du lecteur.',
    "Assurez-vous que le serveur est joignable en **HTTPS** depuis l'endroit où se trouve l'échelle.",
    'Ce qui est décrit ici fonctionne de la même façon depuis la version {n}.0.',
  ],
};
