/** Input of staff that is refused before anything is done. The message says what is wrong with it. */
export class InvalidInput extends Error {
  override name = 'InvalidInput';
}
