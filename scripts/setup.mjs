// `npm run setup`: installs what is missing, and nothing else.
import { install } from './install.mjs';

await install();
