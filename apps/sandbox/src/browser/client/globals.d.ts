/** Where the script came from: the sandbox's own origin. Written into the script when it is served. */
declare const ORIGIN: string;
/** The release train of Stripe.js that the loader of the shop expects, e.g. `endive`. */
declare const RELEASE_TRAIN: string;
