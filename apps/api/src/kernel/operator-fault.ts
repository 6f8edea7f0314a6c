/**
 * The shop cannot continue with its setup. The message tells the operator what is wrong, which
 * setting, and what to do.
 */
export class OperatorFault extends Error {
  override name = 'OperatorFault';
}
