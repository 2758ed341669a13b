#include "agent/recorder_names.h"

#include "base/error.h"

uint32_t recorder_class(struct recorder *r, const char *signature)
{
	pthread_mutex_lock(&r->lock);
	uint32_t id = catalog_class(&r->catalog, recorder_now(r), signature);
	if (r->learning)
		learning_class(r->learning, id, signature);
	pthread_mutex_unlock(&r->lock);
	return id;
}

uint32_t recorder_thread(struct recorder *r, const char *name, uint32_t flags)
{
	pthread_mutex_lock(&r->lock);
	uint32_t id = catalog_thread(&r->catalog, recorder_now(r), name, flags);
	pthread_mutex_unlock(&r->lock);
	return id;
}

uint32_t recorder_collector(struct recorder *r, const char *name, uint32_t role)
{
	pthread_mutex_lock(&r->lock);
	uint32_t id = catalog_collector(&r->catalog, recorder_now(r), name, role);
	pthread_mutex_unlock(&r->lock);
	return id;
}

uint32_t recorder_unknown_methods(struct recorder *r, const struct stack_frame *stack,
	uint32_t depth, uint64_t *vm_ids, uint32_t room)
{
	pthread_mutex_lock(&r->lock);
	uint32_t count = catalog_unknown_methods(&r->catalog, stack, depth, vm_ids, room);
	pthread_mutex_unlock(&r->lock);
	return count;
}

uint32_t recorder_methods_to_ask(struct recorder *r, const struct stack_frame *stack,
	uint32_t depth, uint32_t held, uint64_t *vm_ids, uint32_t room)
{
	pthread_mutex_lock(&r->lock);
	uint32_t count = catalog_methods_to_ask(&r->catalog, stack, depth, held, vm_ids, room);
	pthread_mutex_unlock(&r->lock);
	return count;
}

int recorder_add_method(struct recorder *r, const struct method_facts *facts)
{
	pthread_mutex_lock(&r->lock);
	int err = journal_has_name_room(&r->journal)
			  ? catalog_add_method(&r->catalog, recorder_now(r), facts)
			  : ERR_FULL;
	pthread_mutex_unlock(&r->lock);
	return err;
}

uint32_t recorder_exact_site(
	struct recorder *r, uint32_t class_id, const struct stack_frame *stack, uint32_t depth)
{
	pthread_mutex_lock(&r->lock);
	uint32_t id =
		journal_has_name_room(&r->journal)
			? catalog_exact_site(&r->catalog, recorder_now(r), class_id, stack, depth)
			: 0;
	pthread_mutex_unlock(&r->lock);
	return id;
}

uint32_t recorder_walked_site(struct recorder *r, uint32_t class_id,
	const struct stack_frame *stack, uint32_t depth, bool cut)
{
	pthread_mutex_lock(&r->lock);
	uint32_t id = journal_has_name_room(&r->journal)
			      ? catalog_walked_site(
					&r->catalog, recorder_now(r), class_id, stack, depth, cut)
			      : 0;
	pthread_mutex_unlock(&r->lock);
	return id;
}

uint32_t recorder_bare_site(struct recorder *r, uint32_t class_id)
{
	pthread_mutex_lock(&r->lock);
	uint32_t id = journal_has_name_room(&r->journal)
			      ? catalog_bare_site(&r->catalog, recorder_now(r), class_id)
			      : 0;
	pthread_mutex_unlock(&r->lock);
	return id;
}

int recorder_site_place(struct recorder *r, uint32_t site, uint32_t as)
{
	pthread_mutex_lock(&r->lock);
	int err = journal_has_name_room(&r->journal)
			  ? catalog_site_place(&r->catalog, recorder_now(r), site, as)
			  : ERR_FULL;
	pthread_mutex_unlock(&r->lock);
	return err;
}

uint32_t recorder_place(
	struct recorder *r, uint32_t class_id, const struct stack_frame *stack, uint32_t depth)
{
	pthread_mutex_lock(&r->lock);
	uint32_t id =
		journal_has_last_room(&r->journal)
			? catalog_site(&r->catalog, recorder_now(r), class_id, stack, depth, true)
			: 0;
	pthread_mutex_unlock(&r->lock);
	return id;
}

void recorder_refuse_method(struct recorder *r, uint64_t vm_id)
{
	pthread_mutex_lock(&r->lock);
	catalog_refuse_method(&r->catalog, vm_id);
	pthread_mutex_unlock(&r->lock);
}

uint32_t recorder_string(struct recorder *r, const char *text)
{
	pthread_mutex_lock(&r->lock);
	uint32_t id = catalog_string(&r->catalog, recorder_now(r), slice_str(text));
	pthread_mutex_unlock(&r->lock);
	return id;
}
