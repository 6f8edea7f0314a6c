/** A file of a device that ends within so many days is worth a word: its owner is told by email, and on the overview. */
export const FILE_ENDS_SOON_DAYS = 30;
