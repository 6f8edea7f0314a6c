/**
 * Reasons that a customer may give for cancelling. No schema library here, because the browser
 * imports it (0007).
 */
export const cancelReasons = [
  'tooExpensive',
  'didNotMeanToUpgrade',
  'switchingPlan',
  'unclearBilling',
  'other',
] as const;
