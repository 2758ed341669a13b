#include "report/notes_json.h"

json_t *notes_json(struct document *d, const struct notes *n)
{
	json_t *list = json_array();
	for (size_t i = 0; i < n->list.count; i++)
		document_append(d, list, document_text(slice_str(n->list.at[i])));
	return list;
}
