/**
 * text — owns texts and text overrides, legal texts with their earlier versions, the maintenance flag.
 * Promises: every key has a text; purchases are blocked while maintenance is on.
 * Listens to nothing.
 */
export { textHandlers } from './handlers.ts';
export { keepLegalTexts, keptText, type LegalText } from './legal-wordings.ts';
export { createMaintenance, setMaintenance } from './maintenance.ts';
export { namesIn, regionsNamed } from './names.ts';
export { emailTexts, listTexts, setText, uiTexts, unsetText } from './overrides.ts';
export { paymentName } from './payment-name.ts';
export {
  type Brand,
  invoiceLineText,
  loadTranslator,
  type Translate,
  type Translator,
} from './translator.ts';
