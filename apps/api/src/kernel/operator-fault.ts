/** The shop cannot go on as it was set up. The message is a sentence for the operator: what, which setting, what to do. */
export class OperatorFault extends Error {
  override name = 'OperatorFault';
}
