/** The command line as the sources have it: what the built one is compared with. */
import { main } from '../../src/cli/main.ts';

await main();
