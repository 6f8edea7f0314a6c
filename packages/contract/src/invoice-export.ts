/** Download of a year's invoices. `?ticket=` comes from the call `exportInvoices`. */
export const EXPORT_PATH = '/invoices';

export const exportFormats = ['zip', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];
