/**
 * The shop cannot continue with its setup. The message tells the operator what is wrong, which
 * setting, and what to do.
 */
export class OperatorFault extends Error {
  override name = 'OperatorFault';
}

/** A fault that may pass by itself, such as a silent database: whoever supervises the shop starts it again. */
export class PassingFault extends OperatorFault {
  override name = 'PassingFault';
}
