/** `node test/release/sample-sites.ts <folder> <folder>`: writes the sample site, and then one that a deploy has broken. */
import { sampleSite, writeSite } from '../site/sample.ts';

const [healthy, broken] = process.argv.slice(2);
if (healthy === undefined || broken === undefined) throw new Error('two folders, please');

const site = sampleSite();
writeSite(site, healthy);
site.set('config.json', String(site.get('config.json')).replace(/\n\}\n$/, ',\n}\n'));
site.delete('navigation.md');
writeSite(site, broken);
