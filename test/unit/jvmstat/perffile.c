#include "jvmstat/perffile.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/perfimage.h"
#include "support/tap.h"

static char root[32];

static void make(const char *path, const void *bytes, size_t len)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
	EXPECT_INT((ssize_t)len, write(fd, bytes, len));
	close(fd);
}

static char *at(const char *format, ...) MF_PRINTF(1, 2);
static char *at(const char *format, ...)
{
	static char path[8][256];
	static int turn;
	char *out = path[turn++ % 8];
	va_list args;
	va_start(args, format);
	int len = snprintf(out, 256, "%s/", root);
	vsnprintf(out + len, 256 - (size_t)len, format, args);
	va_end(args);
	return out;
}

/* A procfs in which process 4711 is process 7 in its container. */
static void begin(void)
{
	snprintf(root, sizeof(root), "/tmp/perffile.XXXXXX");
	EXPECT(mkdtemp(root) != NULL);
	mkdir(at("4711"), 0700);
	mkdir(at("4711/root"), 0700);
	mkdir(at("4711/root/tmp"), 0700);
	mkdir(at("4711/root/tmp/hsperfdata_app"), 0700);
	mkdir(at("4711/root/tmp/other"), 0700);
	char status[128];
	snprintf(status, sizeof(status), "Pid:\t4711\nUid:\t0\t%u\t0\t0\nNSpid:\t4711\t7\n",
		geteuid());
	make(at("4711/status"), status, strlen(status));
}

static void end(void)
{
	char command[64];
	snprintf(command, sizeof(command), "rm -r %s", root);
	EXPECT_INT(0, system(command));
}

TEST(by_the_id_in_its_own_namespace)
{
	begin();
	struct perfimage i;
	perfimage_init(&i);
	perfimage_long(&i, "java.threads.live", 3);
	struct perfdata p;
	struct diag d = {0};
	EXPECT_INT(ERR_NOT_FOUND, perffile_open_pid(&p, root, 4711, &d));
	EXPECT(strstr(d.text, "UsePerfData") != NULL);
	make(at("4711/root/tmp/hsperfdata_app/4711"), "wrong", 5);
	EXPECT_INT(ERR_NOT_FOUND, perffile_open_pid(&p, root, 4711, NULL));
	make(at("4711/root/tmp/hsperfdata_app/7"), i.bytes.at, i.bytes.len);
	EXPECT_INT(0, perffile_open_pid(&p, root, 4711, NULL));
	EXPECT_INT(3, counter_read(perfdata_counter(&p, "java.threads.live")));
	perfdata_release(&p);
	EXPECT_INT(ERR_NO_PROCESS, perffile_open_pid(&p, root, 4712, &d));
	i.bytes.at[7] = 0;
	make(at("4711/root/tmp/hsperfdata_app/7"), i.bytes.at, i.bytes.len);
	EXPECT_INT(ERR_BUSY, perffile_open_pid(&p, root, 4711, &d));
	EXPECT(strstr(d.text, "starting") != NULL && p.at == NULL);
	perfimage_release(&i);
	end();
}

TEST(a_directory_others_can_write_is_not_trusted)
{
	begin();
	make(at("4711/root/tmp/hsperfdata_app/7"), "x", 1);
	char path[256];
	EXPECT_INT(0, perffile_find(at("4711/root/tmp"), 7, geteuid(), path, sizeof(path), NULL));
	EXPECT_STR(at("4711/root/tmp/hsperfdata_app/7"), path);
	EXPECT_INT(ERR_NOT_FOUND,
		perffile_find(at("4711/root/tmp"), 7, geteuid() + 1, path, sizeof(path), NULL));
	chmod(at("4711/root/tmp/hsperfdata_app"), 0777);
	EXPECT_INT(ERR_NOT_FOUND,
		perffile_find(at("4711/root/tmp"), 7, geteuid(), path, sizeof(path), NULL));
	end();
}

TEST(links_are_not_followed)
{
	begin();
	make(at("4711/root/tmp/other/7"), "x", 1);
	rmdir(at("4711/root/tmp/hsperfdata_app"));
	EXPECT_INT(0, symlink("other", at("4711/root/tmp/hsperfdata_app")));
	char path[256];
	EXPECT_INT(ERR_NOT_FOUND,
		perffile_find(at("4711/root/tmp"), 7, geteuid(), path, sizeof(path), NULL));
	mkdir(at("4711/root/tmp/hsperfdata_b"), 0700);
	EXPECT_INT(0, symlink("../other/7", at("4711/root/tmp/hsperfdata_b/7")));
	EXPECT_INT(ERR_NOT_FOUND,
		perffile_find(at("4711/root/tmp"), 7, geteuid(), path, sizeof(path), NULL));
	end();
}

TEST(this_process_is_no_vm)
{
	struct perfdata p;
	EXPECT_INT(ERR_NOT_FOUND, perffile_open_self(&p, NULL));
	EXPECT(p.at == NULL);
}
