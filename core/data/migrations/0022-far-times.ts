/**
 * Changes no table: triggers take a time that is far ahead as now, and with this note, processes of earlier versions do
 * not mistake them for wrong ones while they are upgraded.
 */
export async function up(): Promise<void> {}
