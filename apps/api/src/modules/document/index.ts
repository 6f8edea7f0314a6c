/**
 * document — generates the PDFs of invoices, receipts and credit notes, with their EN 16931 XML. Owns no table: billing
 * stores them.
 * Promises: a stored document is never generated again; the same facts render to the same bytes.
 * Listens to nothing: the job `generateDocuments` asks for those of an invoice.
 */
export { exportHandlers, openExport } from './export-invoices.ts';
export { createGenerateDocuments } from './generate-documents.ts';
