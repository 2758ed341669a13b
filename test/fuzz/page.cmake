mayfly_fuzz(page USES page_support m)
