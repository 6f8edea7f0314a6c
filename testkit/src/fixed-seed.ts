import { configureGlobal, readConfigureGlobal } from 'fast-check';

/** Property tests use a fixed seed, so that a result depends on the code and not on chance. */
configureGlobal({ ...readConfigureGlobal(), seed: 1 });
