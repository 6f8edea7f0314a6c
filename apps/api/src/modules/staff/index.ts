/**
 * staff — owns the plans that staff was shown (`staff_preview`).
 * Promises: a plan is executed at most once, by whom it was shown to, within ten minutes, and only while it is the present one.
 * Listens to nothing.
 */
export { customerPage } from './customer-page.ts';
export { findCustomers, ownerOf } from './find-customer.ts';
export { lockPreview, requireSamePlan, storePreview, storeResult } from './previews.ts';
export { staffTasks } from './tasks/index.ts';
