import { configureGlobal, readConfigureGlobal } from 'fast-check';

/** Property tests try the same values each time: a run says something of the change before it, not of chance. */
configureGlobal({ ...readConfigureGlobal(), seed: 1 });
