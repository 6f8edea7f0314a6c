/** Origin of the script: the sandbox. Inserted when the script is served. */
declare const ORIGIN: string;
/** The release train of Stripe.js that the loader of the shop expects, e.g. `endive`. */
declare const RELEASE_TRAIN: string;
