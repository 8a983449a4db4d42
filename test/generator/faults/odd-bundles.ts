/** Healthy bundles that only look odd. */
import { text } from '../deployment.ts';
import { edit, fault, type Fault, type FaultOptions } from './fault.ts';

const SMALL: FaultOptions = { site: { languages: ['en'], pages: 4, depth: 1 } };
const NOTHING = {};

export const ODD_BUNDLES: readonly Fault[] = [
  fault(
    'a large film',
    NOTHING,
    (deployment) => {
      deployment.files.set('intro.mp4', new Uint8Array(11 * 1024 * 1024));
      edit(deployment, 'index.html', '</main>', '<video src="intro.mp4"></video></main>');
    },
    SMALL,
  ),
  fault(
    'chunks and styles that Vite loads ahead',
    NOTHING,
    (deployment) => {
      const { app, theme, vendor } = deployment.site.bundle;
      const list = JSON.stringify([vendor, theme, `./${vendor.slice('assets/'.length)}`]);
      const map = `const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=${list})))=>i.map(i=>d[i]);\n`;
      deployment.files.set(app, map + text(deployment.files.get(app)));
    },
    SMALL,
  ),
  fault(
    'pictures by resolution',
    NOTHING,
    (deployment) => {
      const { theme } = deployment.site.bundle;
      const rule = 'header { background: image-set("waves.svg" 1x, url(waves.svg) 2x); }\n';
      deployment.files.set(theme, rule + text(deployment.files.get(theme)));
    },
    SMALL,
  ),
];
