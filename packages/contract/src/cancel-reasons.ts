/** Why renewal is turned off, as a customer may say. Without the schemas: the browser shows them (0007). */
export const cancelReasons = [
  'tooExpensive',
  'didNotMeanToUpgrade',
  'switchingPlan',
  'unclearBilling',
  'other',
] as const;
