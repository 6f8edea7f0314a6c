// `npm run setup` installs missing packages and does nothing else.
import { install } from './install.mjs';

await install();
