"""Export a store to a file of JSON lines, and merge exports or stores into a store.

store -> write_export -> FILE -> ExportFile \\
                                             merging -> store, list of cross-duplicates
store -> StoreSource ----------------------- /
"""
